package io.orestes.coordination.local;

import static io.orestes.store.Await.await;
import static io.orestes.store.Await.failureOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.coordination.CoordinationTimeouts;
import io.orestes.coordination.Coordinator;
import io.orestes.coordination.GroupLocks.Lock;
import io.orestes.coordination.GroupLocks.Mode;
import io.orestes.coordination.LocksContract;
import io.orestes.coordination.TransactionResolver;
import io.orestes.model.ErrorCode;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class LocalLocksTest extends LocksContract {

    private static final CoordinationTimeouts IMPATIENT =
            new CoordinationTimeouts(TIMES.lease(), TIMES.margin(), TIMES.session(), Duration.ofMillis(20));

    private static final SortedMap<String, Mode> KEYS = new TreeMap<>(Map.of("a", Mode.WRITE, "b", Mode.READ));

    private LocalGroup group = new LocalGroup(vertx, TIMES);

    @Override
    protected Coordinator newServer(TransactionResolver transactionResolver) {
        return group.server(transactionResolver);
    }

    @Override
    protected void regroup(CoordinationTimeouts times) {
        group = new LocalGroup(vertx, times);
    }

    @Override
    protected int queuedKeyCount() {
        return group.lockCount();
    }

    /** A waiter takes no memory once it has given up, however long another server has the locks. */
    @Test
    void acquire_givenUp_isCollectedWhileOthersHaveTheLocks() {
        LocalGroup impatient = new LocalGroup(vertx, IMPATIENT);
        Coordinator holder = impatient.server(NO_TRANSACTIONS);
        assertThat(await(holder.join("holder")).info()).isEqualTo("holder");
        Lock held = await(holder.locks().acquire("held", KEYS));

        List<WeakReference<TransactionResolver>> waited =
                IntStream.range(0, 5).mapToObj(i -> waitInVain(impatient)).toList();

        eventually(() -> {
            System.gc();
            return waited.stream().allMatch(transactionResolver -> transactionResolver.refersTo(null));
        });
        held.release();
        assertThat(impatient.lockCount()).isZero();
        await(holder.close());
    }

    /**
     * Waits in vain and returns a reference to the waiter's resolver. Nothing else refers to the
     * resolver, so it stands for all memory of the waiter.
     */
    private static WeakReference<TransactionResolver> waitInVain(LocalGroup group) {
        List<String> asked = new ArrayList<>();
        TransactionResolver transactionResolver = transaction -> {
            asked.add(transaction);
            return done();
        };
        Coordinator server = group.server(transactionResolver);
        await(server.join("waiter"));
        assertThat(failureOf(server.locks().acquire("in vain", KEYS)).code()).isEqualTo(ErrorCode.UNAVAILABLE);
        await(server.close());
        assertThat(asked).isEmpty();
        return new WeakReference<>(transactionResolver);
    }
}
