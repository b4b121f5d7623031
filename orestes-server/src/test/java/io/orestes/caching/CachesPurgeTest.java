package io.orestes.caching;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.caching.purge.PurgeTargetState;
import io.orestes.caching.purge.SharedCacheStatistics;
import io.orestes.caching.purge.SharedCaches;
import io.orestes.caching.ttl.Ttls;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Purges that shared caches receive, and their times. */
final class CachesPurgeTest {

    private static final String KEY = "/db/Todo/a";
    private static final String QUERY = "/db/Todo/query?q=%7B%7D";
    private static final Ttls TTLS = new Ttls(0, 60);

    private final ManualClock clock = new ManualClock();
    private final RecordingSharedCaches shared = new RecordingSharedCaches();
    private final Caches caches = TestCaches.with(shared, clock);

    @Test
    void objectWritten_someCacheMayHaveIt_isPurged() {
        assertThat(caches.reads().admitLocally(KEY, caches.reads().issueTicket(KEY), TTLS))
                .isTrue();

        caches.invalidator().objectWritten(KEY);

        assertThat(shared.purged).containsExactly("/v1/db/Todo/a");
    }

    @Test
    void objectWritten_noCacheCanHaveIt_isNotPurged() {
        assertThat(caches.reads().admitLocally(KEY, caches.reads().issueTicket(KEY), TTLS))
                .isTrue();
        clock.advance(Duration.ofSeconds(62));

        caches.invalidator().objectWritten(KEY);
        caches.invalidator().objectWritten("/db/Todo/b");

        assertThat(shared.purged).isEmpty();
    }

    @Test
    void purge_unknownKey_isSentAllTheSame() {
        caches.administrator().purge(KEY);

        assertThat(shared.purged).containsExactly("/v1/db/Todo/a");
    }

    @Test
    void purgeAll_always_purgesAllObjects() {
        caches.administrator().purgeAll();

        assertThat(shared.purged).containsExactly("/v1/db/*");
    }

    @Test
    void queryChanged_askedForInSeveralSpellings_allArePurged() {
        String spelled = "/v1/db/Todo/query?start=0&q=%7B%20%7D";
        assertThat(caches.reads().urls().registerVariant(QUERY, "/v1" + QUERY)).isTrue();
        assertThat(caches.reads().urls().registerVariant(QUERY, spelled)).isTrue();
        assertThat(caches.reads().admitLocally(QUERY, caches.reads().issueTicket(QUERY), TTLS))
                .isTrue();

        caches.invalidator().queryChanged(QUERY);
        assertThat(caches.reads().admitLocally(QUERY, caches.reads().issueTicket(QUERY), TTLS))
                .isTrue();
        caches.invalidator().queryChanged(QUERY);

        assertThat(shared.purged).containsExactly("/v1" + QUERY, spelled, "/v1" + QUERY, spelled);
    }

    @Test
    void objectWritten_notReadSinceItWasPurged_isNotPurgedAgainButStaysStale() {
        assertThat(caches.reads().admitLocally(KEY, caches.reads().issueTicket(KEY), TTLS))
                .isTrue();

        caches.invalidator().objectWritten(KEY);
        caches.invalidator().objectWritten(KEY);

        assertThat(shared.purged).containsExactly("/v1/db/Todo/a");
        assertThat(caches.staleKeys().snapshot().filter().contains(KEY)).isTrue();
    }

    /** A network may store a response that was in transit during both purges. */
    @Test
    void objectWritten_notReadSinceButSomeCacheStoresLateResponses_isPurgedAgain() {
        shared.keepsLateAnswers = true;
        assertThat(caches.reads().admitLocally(KEY, caches.reads().issueTicket(KEY), TTLS))
                .isTrue();

        caches.invalidator().objectWritten(KEY);
        caches.invalidator().objectWritten(KEY);

        assertThat(shared.purged).containsExactly("/v1/db/Todo/a", "/v1/db/Todo/a");
    }

    @Test
    void objectWritten_readWhileItWasPurged_isPurgedAgain() {
        assertThat(caches.reads().admitLocally(KEY, caches.reads().issueTicket(KEY), TTLS))
                .isTrue();
        shared.meanwhile =
                () -> assertThat(caches.reads().admitLocally(KEY, caches.reads().issueTicket(KEY), TTLS))
                        .isTrue();
        caches.invalidator().objectWritten(KEY);
        shared.meanwhile = () -> {};

        caches.invalidator().objectWritten(KEY);

        assertThat(shared.purged).containsExactly("/v1/db/Todo/a", "/v1/db/Todo/a");
    }

    @Test
    void queryChanged_anOrderCannotBeGiven_theOthersAreAndTheNextChangeOrdersAllAgain() {
        String spelled = "/v1/db/Todo/query?start=0&q=%7B%20%7D";
        assertThat(caches.reads().urls().registerVariant(QUERY, spelled)).isTrue();
        assertThat(caches.reads().admitLocally(QUERY, caches.reads().issueTicket(QUERY), TTLS))
                .isTrue();
        shared.meanwhile = () -> {
            throw new IllegalStateException("stopped");
        };

        caches.invalidator().queryChanged(QUERY);
        assertThat(shared.purged).containsExactly(spelled);
        shared.meanwhile = () -> {};
        caches.invalidator().queryChanged(QUERY);

        assertThat(shared.purged).containsExactly(spelled, "/v1" + QUERY, spelled);
    }

    @Test
    void objectWritten_beforeThePurgeOfAnotherWriteIsOrdered_isPurged() {
        assertThat(caches.reads().admitLocally(KEY, caches.reads().issueTicket(KEY), TTLS))
                .isTrue();
        shared.meanwhile = () -> {
            shared.meanwhile = () -> {};
            caches.invalidator().objectWritten(KEY);
        };

        caches.invalidator().objectWritten(KEY);

        assertThat(shared.purged).containsExactly("/v1/db/Todo/a", "/v1/db/Todo/a");
    }

    @Test
    void objectWritten_purgedLongAgoAndReadSince_isPurged() {
        assertThat(caches.reads().admitLocally(KEY, caches.reads().issueTicket(KEY), TTLS))
                .isTrue();
        caches.invalidator().objectWritten(KEY);
        clock.advance(Duration.ofMinutes(5));
        var unused = caches.staleKeys().snapshot();
        assertThat(caches.reads().admitLocally(KEY, caches.reads().issueTicket(KEY), TTLS))
                .isTrue();

        caches.invalidator().objectWritten(KEY);

        assertThat(shared.purged).hasSize(2);
    }

    @Test
    void classesChanged_outdated_arePurgedAltogether() {
        caches.administrator().classesChanged(Set.of("Todo"));

        assertThat(shared.purged).containsExactly("/v1/db/Todo/*");
    }

    @Test
    void clear_always_purgesEverything() {
        caches.administrator().clear();

        assertThat(shared.purged).containsExactly("/*");
    }

    /** Records purges. */
    private static final class RecordingSharedCaches implements SharedCaches {
        private final List<String> purged = new ArrayList<>();
        private Runnable meanwhile = () -> {};
        private boolean keepsLateAnswers;

        @Override
        public boolean isEnabled() {
            return true;
        }

        @Override
        public boolean mayKeepLateResponses() {
            return keepsLateAnswers;
        }

        @Override
        public void purge(String path) {
            meanwhile.run();
            purged.add(path);
        }

        @Override
        public void purgeUrl(String uri) {
            purged.add(uri);
        }

        @Override
        public void purgePrefix(String path) {
            purged.add(path + "*");
        }

        @Override
        public Future<Void> awaitConfirmed() {
            return Future.succeededFuture();
        }

        @Override
        public Future<Boolean> confirmPurges(Duration longest) {
            return Future.succeededFuture(true);
        }

        @Override
        public Future<Optional<Duration>> lag() {
            return Future.succeededFuture(Optional.of(Duration.ZERO));
        }

        @Override
        public List<PurgeTargetState> targets() {
            return List.of();
        }

        @Override
        public Future<List<SharedCacheStatistics>> fetchStatistics() {
            return Future.succeededFuture(List.of());
        }
    }
}
