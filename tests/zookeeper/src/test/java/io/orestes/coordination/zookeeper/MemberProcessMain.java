package io.orestes.coordination.zookeeper;

import static io.orestes.store.Await.await;

import io.orestes.coordination.CoordinationTimeouts;
import io.orestes.coordination.Coordinator;
import io.orestes.coordination.GroupLocks.Mode;
import io.orestes.coordination.Member;
import io.orestes.coordination.MembershipListener;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * Main program of the process of a {@link Witness}: joins, takes a lock, and prints its state until
 * it is killed.
 */
final class MemberProcessMain {

    private static final Duration PAUSE = Duration.ofMillis(1);

    private MemberProcessMain() {}

    /**
     * Arguments: servers, root, milliseconds of lease, margin, session and waiting for locks, key
     * to lock, transaction.
     */
    public static void main(String[] arguments) {
        CoordinationTimeouts times = new CoordinationTimeouts(
                millis(arguments[2]), millis(arguments[3]), millis(arguments[4]), millis(arguments[5]));
        Coordinator server = new ZooKeeperCoordinator(
                Vertx.vertx(),
                new ZooKeeperConfig(arguments[0], arguments[1], times),
                transaction -> Future.failedFuture("settles nothing"));
        AtomicBoolean isLost = new AtomicBoolean();
        server.listen(new MembershipListener() {
            @Override
            public void membershipLost() {
                isLost.set(true);
            }
        });
        Member self = await(server.join("witness"));
        boolean isHeld = !await(server.locks().acquire(arguments[7], new TreeMap<>(Map.of(arguments[6], Mode.WRITE))))
                .isInDoubt();
        say((isHeld ? "holds " : "lacks ") + self.id());
        testify(server, isLost);
    }

    private static void testify(Coordinator server, AtomicBoolean isLost) {
        while (true) {
            boolean wasLost = isLost.get();
            long before = System.nanoTime();
            boolean isCurrent = server.isCurrent();
            say((isCurrent ? "current " : wasLost ? "lost " : "doubtful ") + before);
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }

    private static Duration millis(String text) {
        return Duration.ofMillis(Long.parseLong(text));
    }

    private static void say(String line) {
        System.out.println(line);
    }
}
