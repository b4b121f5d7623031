package io.orestes.caching;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.caching.purge.PurgeConfig;
import io.orestes.caching.response.CachedResponse;
import io.orestes.caching.response.TestResponses;
import io.orestes.caching.sketch.BloomFilter;
import io.orestes.caching.sketch.SketchConfig;
import io.orestes.caching.sketch.SketchSizeRange;
import io.orestes.caching.ttl.TtlConfig;
import io.orestes.caching.ttl.Ttls;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The whole read and write protocol on real threads: hits, misses, browsers' copies and the filter.
 * A browser never accepts a state older than what was acknowledged before it loaded the filter.
 */
@SuppressWarnings("ThreadPriorityCheck") // yields make rare interleavings common, nothing relies on them
final class CachesStressTest {

    private static final int KEYS = 8;
    private static final Ttls TTLS = new Ttls(2, 2);
    private static final Duration RUN_TIME = Duration.ofSeconds(2);

    private record Copy(int key, long version, long until) {}

    private final ManualClock clock = new ManualClock();
    private final Caches caches = TestCaches.on(
            clock,
            new CachingConfig(
                    new SketchConfig(new SketchSizeRange(2, 100, 0.0001), 1000, Duration.ZERO),
                    TtlConfig.DEFAULTS,
                    1 << 20,
                    0,
                    PurgeConfig.NONE,
                    false));
    private final AtomicLongArray committed = new AtomicLongArray(KEYS);
    private final AtomicLongArray acknowledged = new AtomicLongArray(KEYS);

    @Test
    @Timeout(120)
    void browsers_readingWhileObjectsAreWritten_neverAcceptUnreportedStaleCopies() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);

        List<Future<Long>> stale = IntStream.range(0, 4)
                .mapToObj(i -> threads.submit(() -> i == 0 ? write(new Random(i)) : browse(new Random(i))))
                .toList();

        for (Future<Long> thread : stale) {
            assertThat(thread.get()).isZero();
        }
        threads.shutdown();
        assertThat(threads.awaitTermination(1, TimeUnit.SECONDS)).isTrue();
    }

    private long browse(Random random) {
        Deque<Copy> copies = new ArrayDeque<>();
        long stale = 0;
        for (long end = end(); System.nanoTime() < end; ) {
            int key = random.nextInt(KEYS);
            long newest = acknowledged.get(key);
            Optional<Copy> copy = request(key);
            stale += copy.filter(answer -> answer.version() < newest).isPresent() ? 1 : 0;
            copy.ifPresent(copies::add);
            if (copies.size() > 100) {
                stale += accepted(copies.remove());
            }
        }
        return stale;
    }

    /** Returns the server's response as a browser stores it; empty if it may not be stored. */
    private Optional<Copy> request(int key) {
        Optional<CachedResponse> hit = caches.reads().lookup(name(key));
        if (hit.isPresent()) {
            return Optional.of(new Copy(key, hit.get().version(), clock.millis() + TTLS.longestMillis()));
        }
        long ticket = caches.reads().issueTicket(name(key));
        long version = committed.get(key);
        long now = clock.millis();
        Thread.yield();
        if (!caches.reads().admitLocally(name(key), ticket, TTLS)) {
            return Optional.empty();
        }
        caches.reads().put(name(key), ticket, TestResponses.of(version, TTLS, now));
        return Optional.of(new Copy(key, version, now + TTLS.longestMillis()));
    }

    /**
     * Returns 1 if the browser would accept the copy although a newer state was acknowledged before
     * the filter was loaded.
     */
    private int accepted(Copy copy) {
        long newest = acknowledged.get(copy.key());
        BloomFilter filter = caches.staleKeys().snapshot().filter();
        boolean alive = copy.until() > clock.millis();
        return alive && copy.version() < newest && !filter.contains(name(copy.key())) ? 1 : 0;
    }

    private long write(Random random) {
        for (long end = end(); System.nanoTime() < end; ) {
            int key = random.nextInt(KEYS);
            long version = committed.incrementAndGet(key);
            caches.invalidator().objectWritten(name(key));
            acknowledged.set(key, version);
            clock.advance(Duration.ofMillis(random.nextInt(3)));
            Thread.yield();
        }
        return 0;
    }

    private static String name(int key) {
        return "/db/Todo/" + key;
    }

    private static long end() {
        return System.nanoTime() + RUN_TIME.toNanos();
    }
}
