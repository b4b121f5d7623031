package io.orestes.read.watch;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The eviction policy of the query cache, which selects queries with the fewest reads for each
 * matched write. A query that has just been requested for the second time has the benefit of one
 * read. So only queries with less than one recent read for each matched write are evicted. The
 * policy scans all queries at most once a second. Thread-safe.
 */
final class QueryEvictionPolicy {

    private static final double NEW_QUERY_BENEFIT = 1;
    private static final int BATCH_SIZE = 64;
    private static final long SCAN_INTERVAL_MILLIS = 1_000;

    private final Map<String, WatchedQuery> watched;
    private final ArrayDeque<String> found = new ArrayDeque<>();
    private long nextScan = Long.MIN_VALUE;

    QueryEvictionPolicy(Map<String, WatchedQuery> watched) {
        this.watched = watched;
    }

    /**
     * Returns the id of the query of the least benefit; empty if a new query would not have more.
     */
    synchronized Optional<String> nextVictim(long now) {
        if (found.isEmpty() && now >= nextScan) {
            nextScan = now + SCAN_INTERVAL_MILLIS;
            scan();
        }
        while (!found.isEmpty()) {
            String id = found.remove();
            if (isWorthLess(watched.get(id))) {
                return Optional.of(id);
            }
        }
        return Optional.empty();
    }

    private void scan() {
        watched.entrySet().stream()
                .filter(query -> isWorthLess(query.getValue()))
                .map(query -> Map.entry(query.getKey(), query.getValue().benefit()))
                .sorted(Comparator.comparingDouble(Map.Entry::getValue))
                .limit(BATCH_SIZE)
                .forEach(query -> found.add(query.getKey()));
    }

    private static boolean isWorthLess(@Nullable WatchedQuery query) {
        return query != null && query.benefit() < NEW_QUERY_BENEFIT;
    }
}
