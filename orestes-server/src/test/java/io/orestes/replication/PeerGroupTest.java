package io.orestes.replication;

import static io.orestes.store.Await.await;
import static io.orestes.store.Await.failureOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.invalidb.model.VersionStamp;
import io.orestes.caching.ManualClock;
import io.orestes.caching.ttl.Ttls;
import io.orestes.coordination.Member;
import io.orestes.coordination.MembershipListener;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.StoredObject;
import io.orestes.model.Tombstone;
import io.orestes.model.WriteOutcome;
import io.orestes.replication.TestGroup.TestServer;
import io.orestes.replication.link.FakeMember;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class PeerGroupTest {

    private static final String KEY = "/db/Todo/a";
    private static final String QUERY = "/db/Todo/query?q=%7B%7D";
    private static final ObjectRef REF = new ObjectRef("Todo", "a");
    private static final Ttls TTLS = new Ttls(10, 60);
    private static final Duration BEYOND_MAX_TTL = TestGroup.MAX_TTL.plusSeconds(1);

    private final ManualClock clock = new ManualClock();
    private final TestGroup servers = new TestGroup(clock);

    @AfterEach
    void close() {
        servers.close();
    }

    /** The server has no record of the copies that earlier servers served. */
    @Test
    void enter_noOtherServer_allCountsAsStaleForTheLongestLifetime() {
        TestServer first = servers.enter();

        assertThat(first.reportsStale("/db/Todo/any")).isTrue();
        clock.advance(BEYOND_MAX_TTL);
        assertThat(first.reportsStale("/db/Todo/any")).isFalse();
    }

    @Test
    void enter_othersKnowStaleKeys_receivesThemBeforeItServes() {
        TestServer first = warm();
        keep(first, KEY);
        first.caches.invalidator().objectWritten(KEY);

        TestServer second = servers.enter();

        assertThat(second.reportsStale(KEY)).isTrue();
        assertThat(second.reportsStale("/db/Todo/b")).isFalse();
    }

    @Test
    void enter_othersServedCopies_itsOwnWritesMakeThemStale() {
        TestServer first = warm();
        keep(first, KEY);

        TestServer second = servers.enter();
        second.caches.invalidator().objectWritten(KEY);

        assertThat(second.reportsStale(KEY)).isTrue();
    }

    @Test
    void enter_severalAtOnce_allKnowTheSame() {
        Future<TestServer> one = servers.enter("secret", clock);
        Future<TestServer> two = servers.enter("secret", clock);
        TestServer three = servers.enter();

        assertThat(await(one).group().isCurrent()).isTrue();
        assertThat(await(two).reportsStale("/db/Todo/any")).isTrue();
        assertThat(three.reportsStale("/db/Todo/any")).isTrue();
    }

    @Test
    void enter_anotherSecret_isRefused() {
        TestServer first = warm();

        Future<TestServer> stranger = servers.enter("guessed", clock);
        servers.vertx.setTimer(300, later -> first.coordinator.members().stream()
                .filter(member -> !member.equals(first.self()))
                .forEach(first.coordinator::evict));

        await(Future.future(soon -> servers.vertx.setTimer(600, later -> soon.complete(null))));
        assertThat(stranger.isComplete()).isFalse();
    }

    /** Members send remaining times instead of points in time. */
    @Test
    void admit_clocksDiffer_othersKnowTheRightTime() {
        ManualClock otherClock = new ManualClock();
        otherClock.advance(Duration.ofDays(100));
        TestServer first = warm();
        TestServer second = await(servers.enter("secret", otherClock));

        keep(first, KEY);
        second.caches.invalidator().objectWritten(KEY);

        assertThat(second.reportsStale(KEY)).isTrue();
        otherClock.advance(Duration.ofSeconds(69));
        assertThat(second.reportsStale(KEY)).isFalse();
    }

    @Test
    void replicate_othersServedTheObject_itIsStaleEverywhereBeforeTheResponse() {
        TestServer writer = warm();
        TestServer reader = servers.enter();
        TestServer third = servers.enter();
        keep(reader, KEY);

        await(write(writer, 2));

        assertThat(writer.reportsStale(KEY)).isTrue();
        assertThat(reader.reportsStale(KEY)).isTrue();
        assertThat(third.reportsStale(KEY)).isTrue();
    }

    @Test
    void replicate_others_receiveTheAfterImage() {
        TestServer writer = warm();
        TestServer other = servers.enter();

        await(write(writer, 2));
        await(writer.group().replicate(deleted(), writer.announce(deleted())));

        assertThat(other.announced).containsExactly(object(2), deleted());
    }

    @Test
    void broadcastMissedWrites_anyServer_reachesAll() {
        TestServer first = warm();
        TestServer second = servers.enter();

        await(first.group().broadcastMissedWrites("Todo"));

        assertThat(second.missed).containsExactly("Todo");
    }

    @Test
    void memberFailed_aMemberIsEvicted_theOthersAreNotified() {
        TestServer first = warm();
        TestServer second = servers.enter();
        String gone = second.self().id();

        await(first.coordinator.evict(second.self()));
        until(() -> first.vanished.contains(gone));
    }

    @Test
    void replicate_anotherIsStillMatching_waits() {
        TestServer writer = warm();
        TestServer other = servers.enter();
        Promise<Optional<Duration>> matched = Promise.promise();
        other.announcing = outcome -> matched.future();

        Future<Optional<Duration>> written = write(writer, 2);
        await(writer.group().replicateAdmission(QUERY, Duration.ofSeconds(1)));
        assertThat(written.isComplete()).isFalse();
        matched.complete(Optional.of(Duration.ofSeconds(3)));

        assertThat(await(written)).contains(Duration.ofSeconds(3));
    }

    @Test
    void replicate_resultsChangedElsewhere_isEmpty() {
        TestServer writer = warm();
        servers.enter().announcing = outcome -> Future.succeededFuture(Optional.empty());

        assertThat(await(write(writer, 2))).isEmpty();
    }

    /**
     * The server that served a result watches it, and all others must be notified before the write
     * is acknowledged.
     */
    @Test
    void replicate_changesAResultOfAnotherServer_itIsStaleEverywhere() {
        TestServer writer = warm();
        TestServer watching = servers.enter();
        TestServer third = servers.enter();
        keep(watching, QUERY);
        watching.announcing = outcome -> {
            watching.caches.invalidator().queryChanged(QUERY);
            return Future.succeededFuture(Optional.empty());
        };

        await(write(writer, 2));

        assertThat(writer.reportsStale(QUERY)).isTrue();
        assertThat(third.reportsStale(QUERY)).isTrue();
    }

    @Test
    void replicate_awaitedServerIsEvicted_itsResultsAreStaleAndTheWriteIsAnswered() {
        TestServer writer = warm();
        TestServer watching = servers.enter();
        TestServer third = servers.enter();
        keep(watching, QUERY);
        watching.announcing = outcome -> Promise.<Optional<Duration>>promise().future();

        Future<Optional<Duration>> written = write(writer, 2);
        await(third.coordinator.evict(watching.self()));

        assertThat(await(written)).isEmpty();
        assertThat(writer.reportsStale(QUERY)).isTrue();
        assertThat(third.reportsStale(QUERY)).isTrue();
    }

    @Test
    void replicate_unreachableMemberThatCannotBeEvicted_failsInTimeUntilItIsEvicted() {
        try (TestGroup impatient = new TestGroup(clock, Duration.ofMillis(500), Duration.ofMillis(300))) {
            impatient.canNobodyBeEvicted = true;
            TestServer writer = impatient.enter();
            clock.advance(BEYOND_MAX_TTL);
            Member absent = addAbsent(impatient, writer);

            assertThat(failureOf(write(writer, 2)).code()).isEqualTo(ErrorCode.UNAVAILABLE);
            writer.group().replicateInvalidation(KEY);
            assertThat(failureOf(writer.group().awaitAcknowledged()).code()).isEqualTo(ErrorCode.UNAVAILABLE);

            impatient.canNobodyBeEvicted = false;
            until(() -> writer.vanished.contains(absent.id()));
            await(writer.group().awaitAcknowledged());
            assertThat(await(write(writer, 3))).isPresent();
        }
    }

    /** Caching a response does not justify the wait. */
    @Test
    void admit_unreachableMemberThatCannotBeEvicted_isRefusedInTime() {
        try (TestGroup impatient = new TestGroup(clock, Duration.ofMillis(500), Duration.ofSeconds(60))) {
            impatient.canNobodyBeEvicted = true;
            TestServer reader = impatient.enter();
            clock.advance(BEYOND_MAX_TTL);
            Member absent = addAbsent(impatient, reader);

            assertThat(await(reader.caches
                            .reads()
                            .admit(KEY, reader.caches.reads().issueTicket(KEY), TTLS)))
                    .isFalse();
            assertThat(reader.coordinator.members()).contains(absent);
        }
    }

    /** Adds a member that is absent, and waits until the server has tried to reach it. */
    private static Member addAbsent(TestGroup others, TestServer server) {
        Set<Member> joined = ConcurrentHashMap.newKeySet();
        server.coordinator.listen(new MembershipListener() {
            @Override
            public void memberJoined(Member member) {
                joined.add(member);
            }
        });
        Member absent = others.addAt("127.0.0.1:1");
        until(() -> joined.contains(absent));
        return absent;
    }

    @Test
    void enter_aMemberBreaksEachConnection_isEvicted() {
        assertEvicted(FakeMember.Behaviour.BREAKS);
    }

    @Test
    void enter_aMemberBreaksEachConnectionAfterAWhile_isEvicted() {
        assertEvicted(FakeMember.Behaviour.BREAKS_LATER);
    }

    private void assertEvicted(FakeMember.Behaviour manner) {
        try (TestGroup impatient = new TestGroup(clock, Duration.ofMillis(500), Duration.ofSeconds(30))) {
            TestServer first = impatient.enter();
            clock.advance(BEYOND_MAX_TTL);
            Member breaking = impatient.add(manner);
            until(() -> first.coordinator.members().contains(breaking));

            Future<Optional<Duration>> written = write(first, 2);

            until(() -> first.vanished.contains(breaking.id()));
            await(written);
        }
    }

    /** A single member recovers what a departed server left unfinished in the store. */
    @Test
    void evicted_oneOfThree_oneOfTheOthersTakesOver() {
        TestServer first = warm();
        TestServer second = servers.enter();
        TestServer third = servers.enter();

        await(first.coordinator.evict(third.self()));
        until(() -> second.vanished.size() == 1 && first.vanished.size() == 1);

        assertThat(first.takenOver.get() + second.takenOver.get()).isEqualTo(1);
        assertThat(third.takenOver).hasValue(0);
    }

    /** The other member may fail before the recovery is complete. */
    @Test
    void evicted_oneOfThree_bothOthersReceiveItsProcess() {
        TestServer first = warm();
        TestServer second = servers.enter();
        TestServer third = servers.enter();

        await(first.coordinator.evict(third.self()));

        until(() -> first.departed.contains(third.process) && second.departed.contains(third.process));
        assertThat(first.departed).hasSize(1);
        assertThat(second.departed).hasSize(1);
        assertThat(third.departed).isEmpty();
    }

    @Test
    void left_oneOfTwo_theOtherReceivesItsProcess() {
        TestServer first = warm();
        TestServer second = servers.enter();

        await(second.group().leave());

        until(() -> first.departed.contains(second.process));
    }

    @Test
    void left_oneOfTwo_theOtherTakesOver() {
        TestServer first = warm();
        TestServer second = servers.enter();

        await(second.group().leave());

        until(() -> first.takenOver.get() == 1);
    }

    @Test
    void broadcastRightsChange_others_areNotified() {
        TestServer first = warm();
        TestServer second = servers.enter();

        await(first.group().broadcastRightsChange(REF));

        assertThat(second.rights).containsExactly(REF);
    }

    @Test
    void broadcastSchemaChange_others_areNotified() {
        TestServer first = warm();
        TestServer second = servers.enter();

        await(first.group().broadcastSchemaChange());

        assertThat(second.schemaChanges).hasValue(1);
    }

    @Test
    void enter_first_finishesUnfinishedWorkAndTheSecondDoesNot() {
        TestServer first = warm();
        TestServer second = servers.enter();

        assertThat(first.begun).containsExactly(true);
        assertThat(second.begun).containsExactly(false);
    }

    @Test
    void pauseOthers_others_receiveAllClasses() {
        TestServer first = warm();
        TestServer second = servers.enter();

        await(first.group().pauseOthers("turn", Set.of("A", "B")));
        await(first.group().resumeOthers("turn"));

        assertThat(second.paused).containsExactlyInAnyOrder("A", "B");
        assertThat(second.resumed).containsExactly("turn");
        assertThat(first.paused).isEmpty();
    }

    /** No other server would receive the change. */
    @Test
    void change_serverIsNoMember_fails() {
        TestServer first = warm();
        await(first.group().leave());

        assertThat(failureOf(first.group().broadcastSchemaChange()).code()).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(failureOf(first.group().pauseOthers("turn", Set.of("A"))).code())
                .isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(failureOf(first.group().broadcastIndexChange("A")).code()).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(failureOf(first.group().broadcastRightsChange(REF)).code()).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(failureOf(first.group().broadcastMissedWrites("A")).code()).isEqualTo(ErrorCode.UNAVAILABLE);
    }

    @Test
    void broadcastIndexChange_others_areNotified() {
        TestServer first = warm();
        TestServer second = servers.enter();

        await(first.group().broadcastIndexChange("A"));

        assertThat(second.indexed).containsExactly("A");
    }

    @Test
    void purgeAll_others_reportCopiesAsStale() {
        TestServer first = warm();
        TestServer second = servers.enter();
        keep(first, KEY);

        await(second.caches.administrator().purgeAll());

        assertThat(first.caches.reads().lookup(KEY)).isEmpty();
        assertThat(first.reportsStale(KEY)).isTrue();
        assertThat(second.reportsStale(KEY)).isTrue();
    }

    @Test
    void clear_others_areClearedToo() {
        TestServer first = warm();
        TestServer second = servers.enter();
        keep(first, KEY);
        first.caches.invalidator().objectWritten(KEY);
        await(first.caches.invalidator().awaitInvalidated());
        assertThat(second.reportsStale(KEY)).isTrue();

        await(first.caches.administrator().clear());

        assertThat(second.reportsStale(KEY)).isFalse();
    }

    @Test
    void evicted_invalidatesAllAndEntersAgain() {
        TestServer first = warm();
        TestServer second = servers.enter();
        String before = second.self().id();

        await(first.coordinator.evict(second.self()));
        awaitCurrent(second, before);

        assertThat(second.invalidated).isTrue();
        keep(second, KEY);
        await(write(first, 2));
        assertThat(second.reportsStale(KEY)).isTrue();
    }

    @Test
    void requireMembership_left_failsAsUnavailable() {
        TestServer first = warm();

        await(first.group().leave());

        assertThat(failureOf(Future.succeededFuture().map(now -> {
                            first.group().requireMembership();
                            return now;
                        }))
                        .code())
                .isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(failureOf(Future.succeededFuture()
                                .map(now -> first.caches.replica().sketchSnapshot()))
                        .code())
                .isEqualTo(ErrorCode.UNAVAILABLE);
    }

    private static void until(BooleanSupplier condition) {
        long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("too late").isLessThan(end);
            LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
        }
    }

    private void awaitCurrent(TestServer server, String before) {
        await(Future.<Void>future(done -> servers.vertx.setPeriodic(20, timer -> {
            if (server.group().isCurrent() && !server.self().id().equals(before)) {
                boolean unused = servers.vertx.cancelTimer(timer) && done.tryComplete();
            }
        })));
    }

    /** Enters a first server, and advances the clock past the staleness after its start. */
    private TestServer warm() {
        TestServer first = servers.enter();
        clock.advance(BEYOND_MAX_TTL);
        return first;
    }

    private static void keep(TestServer server, String key) {
        assertThat(await(server.caches.reads().admit(key, server.caches.reads().issueTicket(key), TTLS)))
                .isTrue();
    }

    private static Future<Optional<Duration>> write(TestServer server, long version) {
        return server.group().replicate(object(version), server.announce(object(version)));
    }

    private static WriteOutcome object(long version) {
        return new StoredObject(
                REF,
                new BsonDocument("_id", new BsonString(REF.id()))
                        .append("version", new BsonInt64(version))
                        .append("createdAt", new BsonDateTime(1))
                        .append("updatedAt", new BsonDateTime(version)));
    }

    private static WriteOutcome deleted() {
        return new Tombstone(REF, new VersionStamp(1, 3));
    }
}
