package io.orestes.caching;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The counters of changed query results for each class, which detect whether a write left all
 * results unchanged. After such a write the client need not load them again to see it. Results are
 * watched as long as copies of them live. Results that lose their watch enter the filter at that
 * time, so a client with a younger filter bypasses their copies. Thread-safe.
 */
public final class UnchangedResultDetector {

    private final InstantSource clock;
    private final Map<String, AtomicLong> byClass = new ConcurrentHashMap<>();
    private final AtomicInteger unwatching = new AtomicInteger();
    private volatile long unwatchedAt;

    /** Creates a detector that regards results of earlier processes as unwatched. */
    UnchangedResultDetector(InstantSource clock) {
        this.clock = clock;
        this.unwatchedAt = clock.millis();
    }

    /** Returns the number of result changes of a class; to be called before a write is matched. */
    public long count(String bucket) {
        return counter(bucket).get();
    }

    /**
     * Returns how long all results with living copies have been watched. Must be called after a
     * write was matched.
     *
     * @param before {@link #count} before the write
     * @return empty if a result of the class changed meanwhile, or is losing its watch now
     */
    public Optional<Duration> unchangedSince(String bucket, long before) {
        long now = clock.millis();
        return unwatching.get() == 0 && count(bucket) == before
                ? Optional.of(Duration.ofMillis(Math.max(0, now - unwatchedAt)))
                : Optional.empty();
    }

    void changed(String bucket) {
        counter(bucket).incrementAndGet();
    }

    /** Runs {@code ending}, which ends the watch of results and marks their copies stale. */
    void unwatch(Runnable ending) {
        unwatching.incrementAndGet();
        try {
            ending.run();
        } finally {
            unwatchedAt = clock.millis();
            unwatching.decrementAndGet();
        }
    }

    private AtomicLong counter(String bucket) {
        return byClass.computeIfAbsent(bucket, first -> new AtomicLong());
    }
}
