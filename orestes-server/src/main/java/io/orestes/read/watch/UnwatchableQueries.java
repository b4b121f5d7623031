package io.orestes.read.watch;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.orestes.invalidb.MatchQuery;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;

/**
 * The expiring set of queries that could not be watched. Either their whole result was too large,
 * or their filter failed on a write. Each query stays in the set for a minute, since the attempt to
 * watch it costs more than the query itself. Thread-safe.
 */
final class UnwatchableQueries {

    private static final Duration RETENTION = Duration.ofMinutes(1);
    private static final int MAX_QUERIES = 10_000;

    private final Cache<String, Boolean> ids;

    UnwatchableQueries(InstantSource clock) {
        this.ids = Caffeine.newBuilder()
                .maximumSize(MAX_QUERIES)
                .expireAfterWrite(RETENTION)
                .ticker(() -> TimeUnit.MILLISECONDS.toNanos(clock.millis()))
                .build();
    }

    boolean isKnown(MatchQuery query) {
        return ids.getIfPresent(query.id()) != null;
    }

    void add(String queryId) {
        ids.put(queryId, true);
    }
}
