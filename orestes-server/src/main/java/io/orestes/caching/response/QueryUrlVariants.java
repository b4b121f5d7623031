package io.orestes.caching.response;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The URL variants of each cached query under which shared caches may store its result. Shared
 * caches store one copy for each URL of a query. The number of variants is bounded, and shared
 * caches must not store a response whose URL is not entered. The number of one key is bounded, too,
 * because anybody can invent variants and each costs a purge whenever the result changes.
 * Thread-safe.
 */
public final class QueryUrlVariants {

    /** Maximum length of a URI in characters; longer ones are not entered. */
    static final int MAX_URI_LENGTH = 4096;

    /** Maximum number of variants of one key; clients of one kind use one URL for a query. */
    static final int MAX_VARIANTS_PER_KEY = 64;

    /**
     * Usual number of characters of a key and a URI together; they take as much memory as the rest
     * of the entry.
     */
    private static final int USUAL_LENGTH = 400;

    private static final Duration BETWEEN_SWEEPS = Duration.ofSeconds(10);

    private final int most;
    private final long keptMillis;
    private final InstantSource clock;
    private final ConcurrentHashMap<String, Map<String, Long>> untilByKey = new ConcurrentHashMap<>();
    private final AtomicInteger size = new AtomicInteger();
    private final AtomicLong nextSweep = new AtomicLong();

    /**
     * Creates an empty set.
     *
     * @param maxVariants maximum number of variants of all keys together, if they are of usual
     *     length
     * @param maxCopyAge longest life of a copy
     */
    public QueryUrlVariants(int maxVariants, Duration maxCopyAge, InstantSource clock) {
        this.most = maxVariants;
        this.keptMillis = maxCopyAge.toMillis();
        this.clock = clock;
    }

    /**
     * Registers that a copy may be stored under the URI from now on. False if there is no room for
     * it, or no path to purge it by.
     */
    public boolean add(String key, String uri) {
        if (uri.length() > MAX_URI_LENGTH || !uri.startsWith("/")) {
            return false;
        }
        long now = clock.millis();
        sweep(now, weight(key, uri));
        Map<String, Long> known = untilByKey.compute(
                key, (same, uris) -> add(key, uris == null ? new ConcurrentHashMap<>() : uris, uri, now));
        return known != null && known.containsKey(uri);
    }

    /** Returns every URI under which a copy may be stored. */
    public List<String> of(String key) {
        return List.copyOf(untilByKey.getOrDefault(key, Map.of()).keySet());
    }

    private @Nullable Map<String, Long> add(String key, Map<String, Long> uris, String uri, long now) {
        boolean isKnown = uris.containsKey(uri);
        if (!isKnown && uris.size() >= MAX_VARIANTS_PER_KEY) {
            dropExpired(key, uris, now);
        }
        if (isKnown || (uris.size() < MAX_VARIANTS_PER_KEY && takePlace(weight(key, uri)))) {
            uris.merge(uri, now + keptMillis, Math::max);
        }
        return uris.isEmpty() ? null : uris;
    }

    private boolean takePlace(int weight) {
        boolean isRoom = size.addAndGet(weight) <= most;
        if (!isRoom) {
            size.addAndGet(-weight);
        }
        return isRoom;
    }

    private void sweep(long now, int needed) {
        long due = nextSweep.get();
        if (size.get() + needed > most && now >= due && nextSweep.compareAndSet(due, now + BETWEEN_SWEEPS.toMillis())) {
            untilByKey.keySet().forEach(key -> untilByKey.computeIfPresent(key, (same, uris) -> alive(key, uris, now)));
        }
    }

    private @Nullable Map<String, Long> alive(String key, Map<String, Long> uris, long now) {
        dropExpired(key, uris, now);
        return uris.isEmpty() ? null : uris;
    }

    private void dropExpired(String key, Map<String, Long> uris, long now) {
        uris.forEach((uri, until) -> {
            if (until < now && uris.remove(uri, until)) {
                size.addAndGet(-weight(key, uri));
            }
        });
    }

    /** Returns how many variants of usual length it counts as. */
    private static int weight(String key, String uri) {
        return 1 + (key.length() + uri.length()) / USUAL_LENGTH;
    }
}
