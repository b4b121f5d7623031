package io.orestes.read;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.orestes.realtime.MatchQuery;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;

/**
 * Queries whose whole result was too large to be watched, for a minute each: finding that out costs more than the query
 * itself. Thread-safe.
 */
final class LargeResults {

    private static final Duration REMEMBERED = Duration.ofMinutes(1);
    private static final int MOST = 10_000;

    private final Cache<String, Boolean> ids;

    LargeResults(InstantSource clock) {
        this.ids = Caffeine.newBuilder()
                .maximumSize(MOST)
                .expireAfterWrite(REMEMBERED)
                .ticker(() -> TimeUnit.MILLISECONDS.toNanos(clock.millis()))
                .build();
    }

    boolean isKnown(MatchQuery query) {
        return ids.getIfPresent(query.id()) != null;
    }

    void add(MatchQuery query) {
        ids.put(query.id(), true);
    }
}
