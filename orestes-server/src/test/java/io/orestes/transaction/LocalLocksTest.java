package io.orestes.transaction;

import static io.orestes.store.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.transaction.Locks.Lock;
import io.orestes.transaction.Locks.Mode;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class LocalLocksTest {

    private final Vertx vertx = Vertx.vertx();
    private final LocalLocks locks = new LocalLocks(vertx);

    @AfterEach
    void tearDown() {
        await(vertx.close());
    }

    @Test
    void acquire_whatOthersWrite_waitsForThemInTurn() {
        Lock first = await(acquire(Mode.WRITE, "a", "b"));
        Future<Lock> second = acquire(Mode.WRITE, "b", "c");
        Future<Lock> third = acquire(Mode.WRITE, "c");

        assertThat(await(acquire(Mode.WRITE, "d"))).isNotNull();
        assertThat(List.of(second.isComplete(), third.isComplete())).containsOnly(false);
        first.release();
        Lock acquired = await(second);
        assertThat(third.isComplete()).isFalse();
        acquired.release();
        assertThat(await(third)).isNotNull();
    }

    @Test
    void acquire_readers_areTogetherButBehindAWriterThatCameFirst() {
        Lock one = await(acquire(Mode.READ, "a"));
        Lock other = await(acquire(Mode.READ, "a"));
        Future<Lock> writer = acquire(Mode.WRITE, "a");
        Future<Lock> late = acquire(Mode.READ, "a");

        one.release();
        assertThat(writer.isComplete()).isFalse();
        other.release();
        Lock written = await(writer);
        assertThat(late.isComplete()).isFalse();
        written.release();
        await(late).release();
        assertThat(locks.isIdle()).isTrue();
    }

    @Test
    void acquire_fromAnEventLoop_completesThere() {
        Lock held = await(acquire(Mode.WRITE, "a"));
        Context home = vertx.getOrCreateContext();
        Promise<Context> seen = Promise.promise();

        home.runOnContext(begin ->
                acquire(Mode.WRITE, "a").map(lock -> Vertx.currentContext()).onComplete(seen));
        home.runOnContext(then -> held.release());

        assertThat(await(seen.future())).isEqualTo(home);
    }

    @Test
    void acquire_atRandom_isNeverDoneTwiceAndAlwaysDone() {
        Random random = new Random(3);
        Map<String, Integer> holders = new HashMap<>();
        List<Future<?>> all = new ArrayList<>();
        Context home = vertx.getOrCreateContext();
        Promise<Void> begun = Promise.promise();

        home.runOnContext(begin -> {
            for (int i = 0; i < 2_000; i++) {
                SortedMap<String, Mode> modes = new TreeMap<>();
                for (int j = 0; j < 3; j++) {
                    modes.put("k" + random.nextInt(6), random.nextBoolean() ? Mode.READ : Mode.WRITE);
                }
                all.add(locks.acquire(modes).compose(lock -> hold(modes, holders, lock)));
            }
            begun.complete();
        });
        await(begun.future());
        await(Future.join(all));

        assertThat(holders.values()).containsOnly(0);
        assertThat(locks.isIdle()).isTrue();
    }

    /** Counts readers up and writers as a thousand, for one turn of the event loop. */
    private Future<Void> hold(SortedMap<String, Mode> modes, Map<String, Integer> holders, Lock lock) {
        modes.forEach((id, mode) -> {
            int weight = mode == Mode.READ ? 1 : 1_000;
            int sum = holders.merge(id, weight, Integer::sum);
            assertThat(sum == 1_000 || sum < 1_000).as("%s held by %s", id, sum).isTrue();
        });
        Promise<Void> released = Promise.promise();
        vertx.getOrCreateContext().runOnContext(later -> {
            modes.forEach((id, mode) -> holders.merge(id, mode == Mode.READ ? -1 : -1_000, Integer::sum));
            lock.release();
            released.complete();
        });
        return released.future();
    }

    private Future<Lock> acquire(Mode mode, String... ids) {
        SortedMap<String, Mode> modes = new TreeMap<>();
        for (String id : ids) {
            modes.put(id, mode);
        }
        return locks.acquire(modes);
    }
}
