package io.orestes.caching.response;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.caching.ttl.Ttls;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Fills race invalidations of one key on real threads: a hit must never be older than the
 * acknowledged state.
 */
@SuppressWarnings("ThreadPriorityCheck") // yields make rare interleavings common, nothing relies on them
final class ResponseCacheRaceTest {

    private static final String KEY = "/db/Todo/a";
    private static final Duration RUN_TIME = Duration.ofMillis(1500);

    private final ResponseCache cache = new ResponseCache(1 << 20, InstantSource.system());
    private final AtomicLong committed = new AtomicLong();
    private final AtomicLong acknowledged = new AtomicLong();

    @Test
    @Timeout(120)
    void get_whileFillsRaceInvalidations_isNeverOlderThanTheLastAcknowledgedWrite() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);

        List<Future<Long>> stale = IntStream.range(0, 4)
                .mapToObj(i -> threads.submit(i == 0 ? this::write : this::read))
                .toList();

        for (Future<Long> thread : stale) {
            assertThat(thread.get()).isZero();
        }
        threads.shutdown();
        assertThat(threads.awaitTermination(1, TimeUnit.SECONDS)).isTrue();
        assertThat(cache.hitCount()).isPositive();
    }

    /**
     * Looks up, or reads the store and fills; returns the number of hits older than the state
     * acknowledged before.
     */
    private long read() {
        long stale = 0;
        for (long end = end(); System.nanoTime() < end; ) {
            long newest = acknowledged.get();
            stale += cache.get(KEY).filter(hit -> hit.version() < newest).isPresent() ? 1 : 0;
            long ticket = cache.issueTicket(KEY);
            long version = committed.get();
            Thread.yield();
            cache.put(KEY, ticket, TestResponses.of(version, new Ttls(60, 60), System.currentTimeMillis()));
        }
        return stale;
    }

    /** Writes; returns the number of own writes that the cache does not show afterwards. */
    private long write() {
        long stale = 0;
        for (long end = end(); System.nanoTime() < end; ) {
            long version = committed.incrementAndGet();
            cache.invalidate(KEY);
            acknowledged.set(version);
            stale += cache.get(KEY).filter(hit -> hit.version() < version).isPresent() ? 1 : 0;
            Thread.yield();
        }
        return stale;
    }

    private static long end() {
        return System.nanoTime() + RUN_TIME.toNanos();
    }
}
