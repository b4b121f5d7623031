package io.orestes.coordination;

import static io.orestes.store.Await.await;
import static io.orestes.store.Await.failureOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.async.Loop;
import io.orestes.coordination.GroupLocks.Lock;
import io.orestes.coordination.GroupLocks.Mode;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Contract of the {@link GroupLocks} of every {@link Coordinator}. */
public abstract class LocksContract extends GroupFixture {

    /** Times with waits for locks that end soon enough for a test. */
    private static final CoordinationTimeouts SHORT_TIMES =
            new CoordinationTimeouts(TIMES.lease(), TIMES.margin(), TIMES.session(), Duration.ofSeconds(2));

    /**
     * Returns the number of acquired and awaited keys; a key counts once for each owner and waiter.
     */
    protected abstract int queuedKeyCount();

    /** Makes the servers that join from now on form another group, with these times. */
    protected abstract void regroup(CoordinationTimeouts times);

    @Test
    void acquire_lockedForWriting_waitsInOrder() {
        List<Coordinator> servers = List.of(joined("a"), joined("b"), joined("c"));
        Lock first = await(acquire(servers.get(0), Mode.WRITE, "a", "b"));
        Future<Lock> second = queued(servers.get(1), Mode.WRITE, "b", "c");
        Future<Lock> third = queued(servers.get(2), Mode.WRITE, "c");

        assertThat(await(acquire(servers.get(0), Mode.WRITE, "d")).isInDoubt()).isFalse();
        assertThat(List.of(second.isComplete(), third.isComplete())).containsOnly(false);
        first.release();
        Lock acquired = await(second);
        assertThat(third.isComplete()).isFalse();
        acquired.release();
        assertThat(await(third).isInDoubt()).isFalse();
    }

    @Test
    void acquire_readers_areTogetherButBehindAWriterThatCameFirst() {
        Coordinator a = joined("a");
        Coordinator b = joined("b");
        Lock one = await(acquire(a, Mode.READ, "a"));
        Lock other = await(acquire(b, Mode.READ, "a"));
        Future<Lock> writer = queued(a, Mode.WRITE, "a");
        Future<Lock> late = queued(b, Mode.READ, "a");

        one.release();
        eventually(() -> queuedKeyCount() == 3);
        assertThat(writer.isComplete()).isFalse();
        other.release();
        Lock written = await(writer);
        assertThat(late.isComplete()).isFalse();
        written.release();
        await(late).release();
        eventually(() -> queuedKeyCount() == 0);
    }

    @Test
    void acquire_fromAnEventLoop_completesThere() {
        Coordinator a = joined("a");
        Lock held = await(acquire(a, Mode.WRITE, "a"));
        Context home = vertx.getOrCreateContext();
        Promise<Context> seen = Promise.promise();

        home.runOnContext(begin ->
                acquire(a, Mode.WRITE, "a").map(lock -> Vertx.currentContext()).onComplete(seen));
        home.runOnContext(then -> held.release());

        assertThat(await(seen.future())).isEqualTo(home);
    }

    @Test
    void acquire_asManyKeysAsAllowed_isOneLock() {
        Coordinator a = joined("a");
        Coordinator b = joined("b");
        SortedMap<String, Mode> keys = new TreeMap<>();
        for (int i = 0; i < GroupLocks.MAX_KEYS; i++) {
            keys.put("/db/Some.Class/" + i, i % 2 == 0 ? Mode.READ : Mode.WRITE);
        }

        Lock all = await(a.locks().acquire("many", keys));
        Future<Lock> same = queued(b, keys);
        await(acquire(b, Mode.READ, "/db/Some.Class/0")).release();
        eventually(() -> queuedKeyCount() == 2 * GroupLocks.MAX_KEYS);
        Future<Lock> one = queued(b, Mode.READ, "/db/Some.Class/1");

        assertThat(same.isComplete()).isFalse();
        all.release();
        await(same).release();
        await(one).release();
        eventually(() -> queuedKeyCount() == 0);
    }

    @Test
    void acquire_longerThanAllowed_failsAndLeavesTheQueues() {
        regroup(SHORT_TIMES);
        Coordinator a = joined("a");
        Coordinator b = joined("b");
        Lock held = await(acquire(a, Mode.WRITE, "x"));

        assertThat(failureOf(acquire(b, Mode.WRITE, "x", "y")).code()).isEqualTo(ErrorCode.UNAVAILABLE);

        await(acquire(a, Mode.WRITE, "y")).release();
        held.release();
        await(acquire(b, Mode.WRITE, "x")).release();
    }

    @Test
    void acquire_behindAWaiterThatGaveUp_waitsForEarlierOnes() {
        regroup(SHORT_TIMES);
        Coordinator a = joined("a");
        Coordinator b = joined("b");
        Lock held = await(acquire(a, Mode.WRITE, "x"));
        Future<Lock> impatient = queued(b, Mode.WRITE, "x");

        assertThat(failureOf(impatient).code()).isEqualTo(ErrorCode.UNAVAILABLE);
        eventually(() -> queuedKeyCount() == 1);
        Future<Lock> next = queued(b, Mode.READ, "x");
        assertThat(await(acquire(b, Mode.READ, "other")).isInDoubt()).isFalse();

        assertThat(next.isComplete()).isFalse();
        held.release();
        await(next).release();
    }

    @Test
    void acquire_lockOfAnEvictedMember_firstResolvesItsTransaction() {
        List<String> asked = new CopyOnWriteArrayList<>();
        Promise<Void> resolved = Promise.promise();
        Coordinator a = joined("a");
        Coordinator b = joined("b", transaction -> {
            asked.add(transaction);
            return resolved.future();
        });
        Lock left = await(a.locks().acquire("left", modes(Mode.WRITE, "x", "y")));
        Lock living = await(b.locks().acquire("living", modes(Mode.WRITE, "z")));
        Future<Lock> waiting = queued(b, Mode.READ, "x");

        await(b.evict(self(b, "a")));
        eventually(() -> !asked.isEmpty());

        assertThat(left.isInDoubt()).isTrue();
        left.release();
        assertThat(living.isInDoubt()).isFalse();
        assertThat(waiting.isComplete()).isFalse();
        resolved.complete();
        await(waiting).release();
        await(acquire(b, Mode.WRITE, "y")).release();
        living.release();
        assertThat(asked).containsOnly("left");
        eventually(() -> queuedKeyCount() == 0);
    }

    @Test
    void acquire_unresolvableTransaction_failsUntilItIsResolved() {
        AtomicInteger asked = new AtomicInteger();
        Coordinator a = joined("a");
        Coordinator b = joined(
                "b", transaction -> asked.incrementAndGet() < 4 ? Future.failedFuture("store unavailable") : done());
        assertThat(await(acquire(a, Mode.WRITE, "x")).isInDoubt()).isFalse();

        await(b.evict(self(b, "a")));

        eventually(() -> await(acquire(b, Mode.WRITE, "x").map(true).otherwise(false)));
        assertThat(asked.get()).isGreaterThanOrEqualTo(4);
    }

    @Test
    void acquire_byANonMember_fails() {
        Coordinator a = joined("a");
        Coordinator b = server(NO_TRANSACTIONS);

        assertThat(failureOf(acquire(b, Mode.READ, "x")).code()).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(await(b.join("b")).info()).isEqualTo("b");
        Lock held = await(acquire(b, Mode.READ, "x"));
        await(a.evict(self(b, "b")));

        assertThat(held.isInDoubt()).isTrue();
        assertThat(failureOf(acquire(b, Mode.READ, "x")).code()).isEqualTo(ErrorCode.UNAVAILABLE);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void acquire_atRandom_isExclusiveAndAlwaysSucceeds(long seed) {
        List<Coordinator> servers = List.of(joined("a"), joined("b"), joined("c"));
        Random random = new Random(seed);
        Map<String, Integer> holders = new HashMap<>();
        List<Future<Void>> workers = new ArrayList<>();
        for (int worker = 0; worker < 12; worker++) {
            Coordinator server = servers.get(worker % 3);
            List<SortedMap<String, Mode>> work = work(random, 40);
            workers.add(Loop.whileTrue(
                    () -> work.isEmpty() ? Future.succeededFuture(false) : doNext(server, work, holders)));
        }

        await(Future.all(workers));

        assertThat(holders.values()).containsOnly(0);
        eventually(() -> queuedKeyCount() == 0);
    }

    /**
     * Does the next piece of work. It is retried if it exceeds the time limit, as on a busy
     * machine.
     */
    private Future<Boolean> doNext(
            Coordinator server, List<SortedMap<String, Mode>> work, Map<String, Integer> holders) {
        return server.locks()
                .acquire("random", work.get(0))
                .compose(lock -> hold(work.remove(0), holders, lock))
                .recover(failure ->
                        failure instanceof ApiException ? Future.succeededFuture() : Future.failedFuture(failure))
                .map(true);
    }

    private static List<SortedMap<String, Mode>> work(Random random, int size) {
        List<SortedMap<String, Mode>> work = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            SortedMap<String, Mode> modes = new TreeMap<>();
            for (int j = 0; j < 3; j++) {
                modes.put("k" + random.nextInt(8), random.nextBoolean() ? Mode.READ : Mode.WRITE);
            }
            work.add(modes);
        }
        return work;
    }

    /**
     * Uses the locks for one iteration of an event loop; a reader counts as 1 and a writer as
     * 1,000.
     */
    private Future<Void> hold(SortedMap<String, Mode> modes, Map<String, Integer> holders, Lock lock) {
        synchronized (holders) {
            modes.forEach((key, mode) -> {
                int sum = holders.merge(key, mode == Mode.READ ? 1 : 1_000, Integer::sum);
                assertThat(sum <= 1_000).as("%s held by %s", key, sum).isTrue();
            });
        }
        Promise<Void> released = Promise.promise();
        vertx.getOrCreateContext().runOnContext(later -> {
            synchronized (holders) {
                modes.forEach((key, mode) -> holders.merge(key, mode == Mode.READ ? -1 : -1_000, Integer::sum));
            }
            lock.release();
            released.complete();
        });
        return released.future();
    }

    /** Requests locks, and returns when the request is queued ahead of later ones. */
    private Future<Lock> queued(Coordinator server, Mode mode, String... keys) {
        return queued(server, modes(mode, keys));
    }

    private Future<Lock> queued(Coordinator server, SortedMap<String, Mode> modes) {
        int before = queuedKeyCount();
        Future<Lock> acquired = server.locks().acquire("some transaction", modes);
        eventually(() -> isPending(acquired) && queuedKeyCount() == before + modes.size());
        return acquired;
    }

    private static boolean isPending(Future<Lock> acquired) {
        if (acquired.failed()) {
            throw new AssertionError("lock refused", acquired.cause());
        }
        return true;
    }

    private static Future<Lock> acquire(Coordinator server, Mode mode, String... keys) {
        return server.locks().acquire("some transaction", modes(mode, keys));
    }

    private static SortedMap<String, Mode> modes(Mode mode, String... keys) {
        SortedMap<String, Mode> modes = new TreeMap<>();
        for (String key : keys) {
            modes.put(key, mode);
        }
        return modes;
    }
}
