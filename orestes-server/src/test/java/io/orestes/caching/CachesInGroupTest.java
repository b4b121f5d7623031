package io.orestes.caching;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orestes.caching.response.CachedResponse;
import io.orestes.caching.response.TestResponses;
import io.orestes.caching.sketch.SketchContents;
import io.orestes.caching.ttl.Ttls;
import io.orestes.group.Replication;
import io.orestes.model.ApiException;
import io.orestes.model.WriteOutcome;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Responses that a server of a group may serve, and its messages to the others. */
final class CachesInGroupTest {

    private static final String KEY = "/db/Todo/a";
    private static final String QUERY = "/db/Todo/query?q=%7B%7D";
    private static final Ttls TTLS = new Ttls(10, 60);

    private final ManualClock clock = new ManualClock();
    private final ManualReplication others = new ManualReplication();
    private final Caches caches = TestCaches.replicated(others, clock);

    @Test
    void admit_othersHaveNotConfirmed_waits() {
        Future<Boolean> admitted = caches.reads().admit(KEY, caches.reads().issueTicket(KEY), TTLS);
        assertThat(admitted.isComplete()).isFalse();

        others.confirm();

        assertThat(admitted.result()).isTrue();
        assertThat(others.held).containsExactly(KEY);
    }

    @Test
    void purge_ofOneAndOfAll_isReplicated() {
        caches.administrator().purge(KEY);
        caches.administrator().purgeAll();

        assertThat(others.stale).containsExactly(KEY);
        assertThat(others.isPurged).isTrue();
    }

    @Test
    void admit_writtenDuringReplication_isRefused() {
        Future<Boolean> admitted = caches.reads().admit(KEY, caches.reads().issueTicket(KEY), TTLS);

        caches.invalidator().objectWritten(KEY);
        others.confirm();

        assertThat(admitted.result()).isFalse();
    }

    @Test
    void admit_othersConfirmAfterTheReportedTime_isRefused() {
        Future<Boolean> admitted = caches.reads().admit(KEY, caches.reads().issueTicket(KEY), TTLS);

        clock.advance(Duration.ofSeconds(6));
        others.confirm();

        assertThat(admitted.result()).isFalse();
    }

    @Test
    void admit_membershipLostMeanwhile_isRefused() {
        Future<Boolean> admitted = caches.reads().admit(KEY, caches.reads().issueTicket(KEY), TTLS);

        others.isCurrent = false;
        others.confirm();

        assertThat(admitted.result()).isFalse();
    }

    @Test
    void lookup_withinTheReplicatedTime_isAHitAndReplicatesMoreInTime() {
        fill(KEY);
        clock.advance(Duration.ofSeconds(2));
        assertThat(caches.reads().lookup(KEY)).isPresent();
        assertThat(others.held).hasSize(1);

        clock.advance(Duration.ofSeconds(2));
        assertThat(caches.reads().lookup(KEY)).isPresent();
        assertThat(caches.reads().lookup(KEY)).isPresent();

        assertThat(others.held).hasSize(2);
        others.confirm();
        clock.advance(Duration.ofSeconds(4));
        assertThat(caches.reads().lookup(KEY)).isPresent();
    }

    @Test
    void lookup_beyondTheReplicatedTime_isAMiss() {
        fill(KEY);

        clock.advance(Duration.ofSeconds(6));

        assertThat(caches.reads().lookup(KEY)).isEmpty();
    }

    @Test
    void lookup_notInTouchWithTheGroup_isAMiss() {
        fill(KEY);

        others.isCurrent = false;

        assertThat(caches.reads().lookup(KEY)).isEmpty();
        assertThatThrownBy(caches.replica()::sketchSnapshot).isInstanceOf(ApiException.class);
    }

    @Test
    void objectWritten_servedHere_replicatesTheInvalidation() {
        fill(KEY);

        caches.invalidator().objectWritten(KEY);

        assertThat(others.stale).containsExactly(KEY);
    }

    /** The server that served the copy replicates the invalidation. */
    @Test
    void objectWritten_servedElsewhere_isStaleHereAndNotReplicated() {
        caches.replica().admitRemotely("b", KEY, Duration.ofSeconds(60));

        caches.invalidator().objectWritten(KEY);

        assertThat(isStale(KEY)).isTrue();
        assertThat(others.stale).isEmpty();
    }

    @Test
    void invalidateRemotely_known_isStaleAndEvictedHereAndNotReplicated() {
        fill(KEY);

        caches.replica().invalidateRemotely(KEY);

        assertThat(isStale(KEY)).isTrue();
        assertThat(caches.reads().lookup(KEY)).isEmpty();
        assertThat(others.stale).isEmpty();
    }

    @Test
    void removeServer_servedAQueryAndAnObject_theQueryIsStale() {
        caches.replica().admitRemotely("b", QUERY, Duration.ofSeconds(60));
        caches.replica().admitRemotely("b", KEY, Duration.ofSeconds(60));
        caches.replica().admitRemotely("c", "/db/Todo/query?", Duration.ofSeconds(60));

        caches.replica().removeServer("b", true);

        assertThat(isStale(QUERY)).isTrue();
        assertThat(isStale(KEY)).isFalse();
        assertThat(isStale("/db/Todo/query?")).isFalse();
    }

    /** The server may have written without replication of the write. */
    @Test
    void removeServer_failed_everythingCachedIsStaleAndNothingIsServedFromMemory() {
        caches.replica().admitRemotely("c", "/db/Todo/b", Duration.ofSeconds(60));
        fill(KEY);

        caches.replica().removeServer("b", false);

        assertThat(isStale(KEY)).isTrue();
        assertThat(isStale("/db/Todo/b")).isTrue();
        assertThat(caches.reads().lookup(KEY)).isEmpty();
    }

    @Test
    void removeServer_itsQueryCameWithItsState_isStale() {
        long until = 60_000;
        caches.replica()
                .mergeSketch(
                        "b", new SketchContents(0, 0, List.of(new SketchContents.SketchEntry(QUERY, until, 0, until))));

        caches.replica().removeServer("b", true);

        assertThat(isStale(QUERY)).isTrue();
    }

    private void fill(String key) {
        long ticket = caches.reads().issueTicket(key);
        Future<Boolean> admitted = caches.reads().admit(key, ticket, TTLS);
        others.confirm();
        assertThat(admitted.result()).isTrue();
        CachedResponse response = TestResponses.of(1, TTLS, clock.millis());
        caches.reads().put(key, ticket, response);
    }

    private boolean isStale(String key) {
        return caches.replica().sketchSnapshot().filter().contains(key);
    }

    /** Replication to other servers, which confirm when the test requests it. */
    private static final class ManualReplication implements Replication {

        private final List<String> held = new ArrayList<>();
        private final List<String> stale = new ArrayList<>();
        private final List<Promise<Void>> unconfirmed = new ArrayList<>();
        private boolean isCurrent = true;
        private boolean isPurged;

        private void confirm() {
            List<Promise<Void>> now = List.copyOf(unconfirmed);
            unconfirmed.clear();
            now.forEach(Promise::complete);
        }

        @Override
        public boolean isStandalone() {
            return false;
        }

        @Override
        public boolean isCurrent() {
            return isCurrent;
        }

        @Override
        public void requireMembership() {}

        @Override
        public Future<Optional<Duration>> replicate(WriteOutcome writeOutcome, Future<Optional<Duration>> localResult) {
            return localResult;
        }

        @Override
        public Future<Void> replicateAdmission(String key, Duration time) {
            held.add(key);
            Promise<Void> acknowledgement = Promise.promise();
            unconfirmed.add(acknowledgement);
            return acknowledgement.future();
        }

        @Override
        public void replicateInvalidation(String key) {
            stale.add(key);
        }

        @Override
        public void replicatePurge() {
            isPurged = true;
        }

        @Override
        public void replicateClear() {}

        @Override
        public Future<Void> awaitAcknowledged() {
            return Future.succeededFuture();
        }
    }
}
