package io.orestes.caching.sketch;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.caching.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Readers and writers of a few keys on real threads. Each reader stores copies as a browser would
 * and checks them against snapshots: a copy of an older state than the one acknowledged before the
 * snapshot must be in it.
 */
final class StaleKeysStressTest {

    private static final int KEYS = 24;
    private static final Duration RUN_TIME = Duration.ofMillis(1200);

    /** Range so small that the filter is replaced all the time. */
    private static final SketchSizeRange RANGE = new SketchSizeRange(1, 64, 0.0001);

    private record Copy(int key, long version, long until) {}

    private final ManualClock clock = new ManualClock();
    private final AtomicLongArray committed = new AtomicLongArray(KEYS);
    private final AtomicLongArray acknowledged = new AtomicLongArray(KEYS);

    @ParameterizedTest(name = "room for {0} keys")
    @ValueSource(ints = {KEYS, 3})
    @Timeout(120)
    void snapshot_concurrentReadersAndWriters_missesNoStaleCopy(int maxKeys) throws Exception {
        StaleKeys keys = new StaleKeys(new SketchConfig(RANGE, maxKeys, Duration.ZERO), clock);
        ExecutorService threads = Executors.newFixedThreadPool(4);

        List<Future<Long>> missed = IntStream.range(0, 4)
                .mapToObj(i -> threads.submit(() -> i < 3 ? read(keys, new Random(i)) : write(keys, new Random(i))))
                .toList();

        for (Future<Long> thread : missed) {
            assertThat(thread.get()).isZero();
        }
        threads.shutdown();
        assertThat(threads.awaitTermination(1, TimeUnit.SECONDS)).isTrue();
        assertThat(keys.state().growths()).isGreaterThan(50);
        assertEmptiesItself(keys);
    }

    /** Encoding takes no lock, so a filter may be out of date when it is done. */
    @Test
    @Timeout(120)
    void snapshot_keyEntersWhileAnotherThreadEncodes_isNotMissed() throws Exception {
        StaleKeys keys = new StaleKeys(SketchConfig.DEFAULTS, clock);
        ExecutorService threads = Executors.newSingleThreadExecutor();
        AtomicBoolean isDone = new AtomicBoolean();
        Future<?> loader = threads.submit(() -> {
            while (!isDone.get()) {
                assertThat(keys.snapshot().takenAtMillis()).isEqualTo(clock.millis());
            }
        });

        for (int key = 0; key < 2000; key++) {
            keys.reportRead(name(key), clock.millis() + 60_000);
            keys.invalidate(name(key));
            for (int look = 0; look < 20; look++) {
                assertThat(keys.snapshot().filter().contains(name(key))).isTrue();
            }
        }

        isDone.set(true);
        loader.get();
        threads.shutdown();
    }

    /**
     * Reads as the server does and stores copies as a browser does; returns the number of stale
     * copies that no snapshot shows.
     */
    private long read(StaleKeys keys, Random random) {
        List<Copy> copies = new ArrayList<>();
        long missed = 0;
        for (long end = System.nanoTime() + RUN_TIME.toNanos(); System.nanoTime() < end; ) {
            int key = random.nextInt(KEYS);
            long until = clock.millis() + random.nextInt(4000);
            keys.reportRead(name(key), until);
            copies.add(new Copy(key, committed.get(key), until));
            if (copies.size() > 50) {
                missed += missed(keys, copies.get(random.nextInt(copies.size())));
                copies.removeIf(copy -> copy.until() <= clock.millis());
            }
        }
        return missed;
    }

    private long missed(StaleKeys keys, Copy copy) {
        long newest = acknowledged.get(copy.key());
        BloomFilter filter = keys.snapshot().filter();
        boolean mustBeIn = copy.version() < newest && copy.until() > clock.millis();
        return mustBeIn && !filter.contains(name(copy.key())) ? 1 : 0;
    }

    private long write(StaleKeys keys, Random random) {
        for (long end = System.nanoTime() + RUN_TIME.toNanos(); System.nanoTime() < end; ) {
            int key = random.nextInt(KEYS);
            long version = committed.incrementAndGet(key);
            keys.invalidate(name(key));
            acknowledged.set(key, version);
            clock.advance(Duration.ofMillis(random.nextInt(20)));
        }
        return 0;
    }

    private void assertEmptiesItself(StaleKeys keys) {
        clock.advance(Duration.ofMinutes(1));
        assertThat(keys.snapshot().filter().toBase64()).isEmpty();
        assertThat(keys.trackedCount()).isZero();
        assertThat(keys.staleCount()).isZero();
        assertThat(keys.state().fill()).isZero();
        assertThat(keys.state().capacity()).isEqualTo(RANGE.minKeys());
    }

    private static String name(int key) {
        return "/db/Todo/" + key;
    }
}
