package io.orestes.caching;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counters of changed query results for each class, which show whether a write left all results
 * unchanged. After such a write the client need not load them again to see it. Results are watched
 * as long as copies of them live. Results that lose their watch enter the filter at that time, so a
 * client with a younger filter knows of them. Thread-safe.
 */
public final class ResultChangeCounters {

    private final InstantSource clock;
    private final Map<String, AtomicLong> byClass = new ConcurrentHashMap<>();
    private final AtomicInteger unwatching = new AtomicInteger();
    private volatile long unwatchedAt;

    /** Nobody has watched what other processes handed out. */
    ResultChangeCounters(InstantSource clock) {
        this.clock = clock;
        this.unwatchedAt = clock.millis();
    }

    /** How often results of a class changed; to be asked before a write is matched. */
    public long count(String bucket) {
        return counter(bucket).get();
    }

    /**
     * To be asked after a write was matched, with {@link #count} of before.
     *
     * @return for how long all results have been watched of which copies live; empty if one of the
     *     class changed meanwhile, or is losing its watch now
     */
    public Optional<Duration> keptSince(String bucket, long before) {
        long now = clock.millis();
        return unwatching.get() == 0 && count(bucket) == before
                ? Optional.of(Duration.ofMillis(Math.max(0, now - unwatchedAt)))
                : Optional.empty();
    }

    void changed(String bucket) {
        counter(bucket).incrementAndGet();
    }

    /** Runs what ends the watch of results and marks their copies stale. */
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
