package io.orestes.coordination.zookeeper;

import static io.orestes.store.Await.await;
import static io.orestes.store.Await.failureOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orestes.coordination.CoordinationTimeouts;
import io.orestes.coordination.Coordinator;
import io.orestes.coordination.GroupFixture;
import io.orestes.coordination.GroupLocks;
import io.orestes.coordination.GroupLocks.Lock;
import io.orestes.coordination.GroupLocks.Mode;
import io.orestes.coordination.Member;
import io.orestes.coordination.MembershipListener;
import io.orestes.coordination.TransactionResolver;
import io.orestes.model.ErrorCode;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Failures that need a network. */
final class SessionsTest extends GroupFixture {

    private static final SortedMap<String, Mode> KEY = new TreeMap<>(Map.of("x", Mode.WRITE));

    @RegisterExtension
    static final EmbeddedZooKeeper ZOOKEEPER = new EmbeddedZooKeeper();

    private EnsembleNamespace meeting = new EnsembleNamespace(ZOOKEEPER.address(), TIMES);

    @AfterEach
    void stopObserving() {
        meeting.close();
    }

    @Override
    protected Coordinator newServer(TransactionResolver transactionResolver) {
        return meeting.server(vertx, transactionResolver);
    }

    @Test
    void join_noServerResponds_failsInTime() {
        ZooKeeperConfig nowhere = new ZooKeeperConfig("127.0.0.1:1", ZooKeeperConfig.DEFAULT_ROOT, TIMES);
        Coordinator lost = new ZooKeeperCoordinator(vertx, nowhere, NO_TRANSACTIONS);

        assertThat(failureOf(lost.join("a")).code()).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(lost.isCurrent()).isFalse();
    }

    @Test
    void join_whereSessionsAreShorterThanLeases_isRefused() {
        Duration lease = Duration.ofMillis(EmbeddedZooKeeper.MAX_SESSION_MILLIS);
        CoordinationTimeouts times =
                new CoordinationTimeouts(lease, TIMES.margin(), lease.multipliedBy(2), TIMES.lockWait());
        ZooKeeperConfig demanding =
                new ZooKeeperConfig(ZOOKEEPER.address(), meeting.config().root(), times);

        assertThatThrownBy(() -> await(new ZooKeeperCoordinator(vertx, demanding, NO_TRANSACTIONS).join("a")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(EmbeddedZooKeeper.MAX_SESSION_MILLIS + " ms only");
    }

    @Test
    void acquire_moreKeysThanAllowed_isRefused() {
        Coordinator a = joined("a");
        SortedMap<String, Mode> keys = new TreeMap<>();
        IntStream.rangeClosed(0, GroupLocks.MAX_KEYS).forEach(i -> keys.put("k" + i, Mode.READ));

        assertThat(failureOf(a.locks().acquire("many", keys)).code()).isEqualTo(ErrorCode.PAYLOAD_TOO_LARGE);
    }

    @Test
    void acquire_byAMemberUnawareOfItsEviction_isRefused() {
        Coordinator a = joined("a");
        Coordinator b = joined("b");
        eventually(() -> b.members().size() == 2);
        Member evicted = self(b, "a");

        Future<Void> gone = b.evict(evicted);
        eventually(() -> meeting.isEvicted(evicted));

        assertThat(failureOf(a.locks().acquire("t", KEY)).code()).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(a.isCurrent()).isFalse();
        await(gone);
        assertThat(meeting.places()).isZero();
    }

    @Test
    void locks_ofADepartedServer_areResolvedWithoutAnyWaiter() {
        List<String> asked = new CopyOnWriteArrayList<>();
        Coordinator a = joined("a");
        Coordinator b = joined("b", transaction -> {
            asked.add(transaction);
            return done();
        });
        assertThat(await(a.locks().acquire("one", KEY)).isInDoubt()).isFalse();
        Lock living = await(b.locks().acquire("living", new TreeMap<>(Map.of("y", Mode.WRITE))));

        await(a.leave());

        eventually(() -> meeting.places() == 1);
        assertThat(asked).containsExactly("one");
        assertThat(living.isInDoubt()).isFalse();
    }

    @Test
    void isCurrent_withoutZooKeeper_endsWithTheLeaseAndComesBackWithTheSession() {
        useTimes(LONG_SESSION_TIMES);
        Coordinator a = joined("a");
        AtomicInteger lost = lossesOf(a);
        Lock lock = await(a.locks().acquire("t", KEY));

        ZOOKEEPER.stop();
        eventually(() -> !a.isCurrent());
        assertThat(lock.isInDoubt()).isTrue();
        assertThat(failureOf(a.locks().acquire("t", KEY)).code()).isEqualTo(ErrorCode.UNAVAILABLE);
        ZOOKEEPER.restart();

        eventually(() -> a.isCurrent() || lost.get() > 0);
        assertThat(lost.get()).isZero();
        assertThat(lock.isInDoubt()).isFalse();
        lock.release();
        eventually(() -> meeting.places() == 0);
    }

    /** ZooKeeper's client ends a session after four thirds of its time without a connection. */
    @Test
    void membership_disconnectedForLongerThanItsSessionLasts_isLostAndServersJoinAgain() {
        Coordinator a = joined("a");
        Coordinator b = joined("b");
        eventually(() -> a.members().size() == 2 && b.members().size() == 2);
        List<Member> before = a.members();
        List<AtomicInteger> lost = List.of(lossesOf(a), lossesOf(b));

        ZOOKEEPER.stop();
        eventually(() -> lost.stream().allMatch(losses -> losses.get() == 1));
        assertThat(List.of(a.isCurrent(), b.isCurrent())).containsOnly(false);
        ZOOKEEPER.restart();
        List<Member> after = List.of(await(a.join("a")), await(b.join("b")));

        eventually(() -> a.isCurrent() && b.isCurrent());
        eventually(() -> a.members().size() == 2 && b.members().size() == 2);
        assertThat(a.members()).containsExactlyInAnyOrderElementsOf(after).doesNotContainAnyElementsOf(before);
        assertThat(b.members()).isEqualTo(a.members());
    }

    @Test
    void members_thatJoinAfterTheConnectionWasLost_areSeen() {
        Coordinator a = joined("a");

        ZOOKEEPER.stop();
        ZOOKEEPER.restart();
        eventually(() -> await(a.leader("work").map(true).otherwise(false)));
        Coordinator b = joined("b");

        eventually(() -> a.members().size() == 2);
        assertThat(a.members()).isEqualTo(b.members());
        await(b.leave());
        eventually(() -> a.members().size() == 1);
    }

    @Test
    void acquire_whileTheConnectionBreaks_leavesNothingBehind() {
        Coordinator a = joined("a");
        List<Future<Lock>> acquired = new CopyOnWriteArrayList<>();
        for (int i = 0; i < 200; i++) {
            acquired.add(a.locks().acquire("t", new TreeMap<>(Map.of("k" + i, Mode.WRITE))));
        }

        ZOOKEEPER.stop();
        acquired.forEach(lock -> lock.onSuccess(Lock::release));
        ZOOKEEPER.restart();

        eventually(() -> acquired.stream().allMatch(Future::isComplete) && meeting.places() == 0);
        assertThat(a.isCurrent() || a.members().isEmpty()).isTrue();
    }

    private void useTimes(CoordinationTimeouts times) {
        meeting.close();
        meeting = new EnsembleNamespace(ZOOKEEPER.address(), times);
    }

    /** Counts the memberships that a server loses from now on. */
    private static AtomicInteger lossesOf(Coordinator server) {
        AtomicInteger lost = new AtomicInteger();
        server.listen(new MembershipListener() {
            @Override
            public void membershipLost() {
                lost.incrementAndGet();
            }
        });
        return lost;
    }
}
