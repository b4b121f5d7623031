package io.orestes.caching;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * The query results that each other server handed out, with the time until which caches may hold
 * copies. Times are milliseconds since 1970. Only the server that handed out a result knows when it
 * changes, so its results count as changed when that server has failed or left. Objects need no
 * such care, because every server announces its writes of them. Thread-safe.
 */
final class RemoteQueryCopies {

    private static final int SWEPT_ABOVE = 1_000;

    private final Map<String, Map<String, Long>> byServer = new ConcurrentHashMap<>();

    void add(String server, String key, long untilMillis) {
        if (untilMillis > 0 && QueryKey.isOfQuery(key)) {
            keys(server).merge(key, untilMillis, Math::max);
        }
    }

    /** Forgets a server and returns the keys of which caches may still hold its results. */
    Set<String> remove(String server, long nowMillis) {
        Map<String, Long> removed = byServer.remove(server);
        return removed == null
                ? Set.of()
                : removed.entrySet().stream()
                        .filter(key -> key.getValue() > nowMillis)
                        .map(Map.Entry::getKey)
                        .collect(Collectors.toSet());
    }

    /** Forgets what no cache holds any more; to be called every few seconds. */
    void sweep(long nowMillis) {
        byServer.values().stream().filter(keys -> keys.size() > SWEPT_ABOVE).forEach(keys -> keys.values()
                .removeIf(until -> until <= nowMillis));
    }

    private Map<String, Long> keys(String server) {
        return byServer.computeIfAbsent(server, first -> new ConcurrentHashMap<>());
    }
}
