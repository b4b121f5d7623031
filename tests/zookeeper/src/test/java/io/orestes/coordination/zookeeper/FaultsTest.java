package io.orestes.coordination.zookeeper;

import static io.orestes.store.Await.await;
import static io.orestes.store.Await.failureOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.coordination.CoordinationTimeouts;
import io.orestes.coordination.Coordinator;
import io.orestes.coordination.GroupFixture;
import io.orestes.coordination.GroupLocks.Lock;
import io.orestes.coordination.GroupLocks.Mode;
import io.orestes.coordination.Member;
import io.orestes.coordination.MembershipListener;
import io.orestes.coordination.TransactionResolver;
import io.orestes.model.ErrorCode;
import io.orestes.support.zookeeper.Ensemble;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/**
 * Kills and stops processes of servers and of ZooKeeper. A member that the others consider departed
 * never considers itself current.
 */
final class FaultsTest extends GroupFixture {

    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    @AutoClose
    static final Ensemble ZOOKEEPER = Ensembles.start();

    private EnsembleNamespace meeting = new EnsembleNamespace(ZOOKEEPER.address(), TIMES);
    private final List<String> settled = new CopyOnWriteArrayList<>();
    private final DepartureRecorder sightings = new DepartureRecorder();

    @AfterEach
    void stopObserving() {
        meeting.close();
    }

    @Override
    protected Coordinator newServer(TransactionResolver transactionResolver) {
        return meeting.server(vertx, transactionResolver);
    }

    @Test
    void killed_departsAfterItsLease_andItsTransactionIsResolvedBeforeOthersContinue() {
        Coordinator server = observer();
        try (MemberProcess witness = witness(server, ZOOKEEPER.address())) {
            witness.kill();
            long killed = System.nanoTime();
            long gone = sightings.awaitDeparture(witness);
            eventually(() -> attempt(server, "x"));

            assertThat(gone - killed).isPositive();
            assertThat(gone - witness.lastCurrentNanos())
                    .isGreaterThan(TIMES.lease().toNanos());
            assertThat(settled).containsOnly("left behind");
        }
    }

    @Test
    void stoppedForTenSeconds_departsAndIsNeverCurrentAgain() {
        Coordinator server = observer();
        try (MemberProcess witness = witness(server, ZOOKEEPER.address())) {
            witness.signal("STOP");
            long stopped = System.nanoTime();
            long gone = sightings.awaitDeparture(witness);
            eventually(() -> System.nanoTime() - stopped > 10 * SECOND);
            witness.signal("CONT");

            eventually(() -> witness.lastLostNanos() - gone > SECOND);
            assertThat(witness.lastCurrentNanos()).isLessThan(gone);
            assertThat(witness.lastCurrentNanos()).isLessThan(stopped + SECOND);
        }
    }

    @Test
    void evictedWhileStopped_departsOnlyAfterItsLease() {
        Coordinator server = observer();
        try (MemberProcess witness = witness(server, ZOOKEEPER.address())) {
            witness.signal("STOP");
            long asked = System.nanoTime();

            await(server.evict(sightings.member(witness)));
            long gone = sightings.awaitDeparture(witness);
            witness.signal("CONT");

            assertThat(gone - asked).isGreaterThanOrEqualTo(TIMES.lease().toNanos());
            eventually(() -> witness.lastLostNanos() > gone);
            assertThat(witness.lastCurrentNanos()).isLessThan(gone);
        }
    }

    @Test
    void evictedWhileRunning_detectsItBeforeItDeparts() {
        Coordinator server = observer();
        try (MemberProcess witness = witness(server, ZOOKEEPER.address())) {
            await(server.evict(sightings.member(witness)));
            long gone = sightings.awaitDeparture(witness);

            eventually(() -> witness.lastLostNanos() > gone);
            assertThat(witness.lastCurrentNanos()).isLessThan(gone);
        }
    }

    @Test
    void connectedToAPausedServer_departsOnlyAfterItsLease() {
        int other = (ZOOKEEPER.leader() + 1) % 3;
        Coordinator server = observer();
        try (MemberProcess witness = witness(server, ZOOKEEPER.address(other))) {
            ZOOKEEPER.pause(other);
            try {
                long gone = sightings.awaitDeparture(witness);
                eventually(() -> witness.lastExpiredNanos() > gone);
                assertThat(witness.lastCurrentNanos()).isLessThan(gone);
            } finally {
                ZOOKEEPER.resume(other);
            }
            eventually(() -> witness.lastLostNanos() > 0);
            assertThat(sightings.isCurrentAfterDeparture(witness)).isFalse();
        }
    }

    @Test
    void leaderOfZooKeeperKilled_noMemberIsLostAndLocksContinue() {
        useTimes(LONG_SESSION_TIMES);
        Coordinator a = observer();
        Coordinator b = joined("b");
        Lock held = await(a.locks().acquire("held", new TreeMap<>(Map.of("y", Mode.WRITE))));
        AtomicInteger lost = lostOf(List.of(a, b));
        int leader = ZOOKEEPER.leader();

        ZOOKEEPER.kill(leader);
        eventually(() -> attempt(a, "z") && attempt(b, "z"));
        assertThat(attempt(b, "y")).isFalse();
        ZOOKEEPER.restart(leader);

        assertThat(lost.get()).isZero();
        assertThat(sightings.gone).isEmpty();
        eventually(() -> a.isCurrent() && b.isCurrent());
        held.release();
        eventually(() -> attempt(b, "y"));
        eventually(() -> meeting.places() == 0);
    }

    @Test
    void withoutQuorum_leasesEndAndReturnAndNoMemberDeparts() {
        useTimes(LONG_SESSION_TIMES);
        Coordinator a = observer();
        Coordinator b = joined("b");
        AtomicInteger lost = lostOf(List.of(a, b));

        IntStream.range(0, 2).forEach(ZOOKEEPER::kill);
        long killed = System.nanoTime();
        AtomicLong lastCurrent = new AtomicLong(killed);
        eventually(() -> {
            long before = System.nanoTime();
            boolean isAnyCurrent = a.isCurrent() || b.isCurrent();
            lastCurrent.updateAndGet(known -> isAnyCurrent ? before : known);
            return !isAnyCurrent;
        });
        assertThat(lastCurrent.get() - killed)
                .isLessThan(LONG_SESSION_TIMES.lease().toNanos() + SECOND);
        assertThat(failureOf(a.locks().acquire("t", new TreeMap<>(Map.of("x", Mode.READ))))
                        .code())
                .isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(sightings.gone).isEmpty();
        ZOOKEEPER.restart(0, 1);

        eventually(() -> (a.isCurrent() && b.isCurrent()) || lost.get() > 0);
        assertThat(lost.get()).isZero();
        assertThat(sightings.gone).isEmpty();
        eventually(() -> attempt(a, "x") && attempt(b, "x"));
    }

    private void useTimes(CoordinationTimeouts times) {
        meeting.close();
        meeting = new EnsembleNamespace(ZOOKEEPER.address(), times);
    }

    private Coordinator observer() {
        Coordinator server = server(transaction -> {
            settled.add(transaction);
            return done();
        });
        server.listen(sightings);
        assertThat(await(server.join("observer")).info()).isEqualTo("observer");
        return server;
    }

    private MemberProcess witness(Coordinator server, String address) {
        ZooKeeperConfig config = new ZooKeeperConfig(
                address, meeting.config().root(), meeting.config().times());
        MemberProcess witness = MemberProcess.start(config, "x", "left behind");
        eventually(() -> server.members().size() == 2 && witness.lastCurrentNanos() > 0);
        return witness;
    }

    private static boolean attempt(Coordinator server, String key) {
        return await(server.locks()
                .acquire("attempt", new TreeMap<>(Map.of(key, Mode.WRITE)))
                .map(lock -> {
                    lock.release();
                    return true;
                })
                .otherwise(false));
    }

    private static AtomicInteger lostOf(List<Coordinator> servers) {
        AtomicInteger lost = new AtomicInteger();
        servers.forEach(server -> server.listen(new MembershipListener() {
            @Override
            public void membershipLost() {
                lost.incrementAndGet();
            }
        }));
        return lost;
    }

    /** Records when the observer saw which member depart. */
    private static final class DepartureRecorder implements MembershipListener {

        private final Map<String, Member> joined = new ConcurrentHashMap<>();
        private final Map<String, Long> gone = new ConcurrentHashMap<>();

        @Override
        public void memberJoined(Member member) {
            joined.put(member.id(), member);
        }

        @Override
        public void memberLeft(Member member) {
            gone.put(member.id(), System.nanoTime());
        }

        private Member member(MemberProcess witness) {
            return Optional.ofNullable(joined.get(witness.id())).orElseThrow();
        }

        private long awaitDeparture(MemberProcess witness) {
            eventually(() -> gone.containsKey(witness.id()));
            return Optional.ofNullable(gone.get(witness.id())).orElseThrow();
        }

        private boolean isCurrentAfterDeparture(MemberProcess witness) {
            return witness.lastCurrentNanos() > awaitDeparture(witness);
        }
    }
}
