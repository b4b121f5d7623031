package io.orestes.coordination.zookeeper;

import static io.orestes.store.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.coordination.CoordinationTimeouts;
import io.orestes.coordination.Coordinator;
import io.orestes.coordination.GroupFixture;
import io.orestes.coordination.GroupLocks.Lock;
import io.orestes.coordination.GroupLocks.Mode;
import io.orestes.coordination.TransactionResolver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Cost of locks for an ensemble: its servers agree on each change of their data and write it to
 * their disks.
 */
final class LockCostTest extends GroupFixture {

    private static final int KEYS = 10;
    private static final int ROUNDS = 10;

    /**
     * Times with a lease that is renewed every two seconds only, as each renewal is a change, too.
     */
    private static final CoordinationTimeouts LONG = new CoordinationTimeouts(
            Duration.ofSeconds(8), Duration.ofMillis(500), Duration.ofSeconds(10), Duration.ofSeconds(6));

    @RegisterExtension
    static final EmbeddedZooKeeper ZOOKEEPER = new EmbeddedZooKeeper();

    private final EnsembleNamespace meeting = new EnsembleNamespace(ZOOKEEPER.address(), LONG);

    @AfterEach
    void stopObserving() {
        meeting.close();
    }

    @Override
    protected Coordinator newServer(TransactionResolver transactionResolver) {
        return meeting.server(vertx, transactionResolver);
    }

    /** Renewals of the lease may come between, so the round with the fewest changes counts. */
    @Test
    void acquire_manyKeys_isOneChangeAndSoIsTheirRelease() {
        Coordinator server = joined("a");
        List<Long> taking = new ArrayList<>();
        List<Long> releasing = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            long before = ZOOKEEPER.changes();
            Lock lock = await(server.locks().acquire("some transaction", keys()));
            assertThat(meeting.places()).isEqualTo(KEYS);
            long taken = ZOOKEEPER.changes();
            lock.release();
            eventually(() -> meeting.places() == 0);
            taking.add(taken - before);
            releasing.add(ZOOKEEPER.changes() - taken);
        }

        assertThat(taking.stream().min(Long::compare)).as("changes: %s", taking).hasValue(1L);
        assertThat(releasing.stream().min(Long::compare))
                .as("changes: %s", releasing)
                .hasValue(1L);
    }

    private static SortedMap<String, Mode> keys() {
        SortedMap<String, Mode> keys = new TreeMap<>();
        for (int i = 0; i < KEYS; i++) {
            keys.put("/db/Some.Class/" + i, i % 2 == 0 ? Mode.READ : Mode.WRITE);
        }
        return keys;
    }
}
