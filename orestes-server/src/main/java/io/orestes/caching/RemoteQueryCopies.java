package io.orestes.caching;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * The query results that each other server sent, with the time until which caches may retain
 * copies. Times are milliseconds since 1970. Only the server that sent a result observes its
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

    /** Removes a server and returns the keys of its results that caches may still retain. */
    Set<String> remove(String server, long nowMillis) {
        Map<String, Long> removed = byServer.remove(server);
        return removed == null
                ? Set.of()
                : removed.entrySet().stream()
                        .filter(key -> key.getValue() > nowMillis)
                        .map(Map.Entry::getKey)
                        .collect(Collectors.toSet());
    }

    /** Drops results without living copies; to be called every few seconds. */
    void sweep(long nowMillis) {
        byServer.values().stream().filter(keys -> keys.size() > SWEPT_ABOVE).forEach(keys -> keys.values()
                .removeIf(until -> until <= nowMillis));
    }

    private Map<String, Long> keys(String server) {
        return byServer.computeIfAbsent(server, first -> new ConcurrentHashMap<>());
    }
}
