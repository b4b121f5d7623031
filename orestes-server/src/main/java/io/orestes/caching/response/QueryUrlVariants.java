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
 * The URL variants of each cached query under which shared caches may hold its result. Shared
 * caches keep one copy for each spelling of a query. The number of variants is bounded, and shared
 * caches must not keep a response whose URL finds no place. The number of one key is bounded, too,
 * since anybody can make variants up and each costs a purge whenever the result changes.
 * Thread-safe.
 */
public final class QueryUrlVariants {

    /** Longer URIs find no place, in characters. */
    static final int MAX_URI_LENGTH = 4096;

    /** Clients of one kind spell a query in one way. */
    static final int MOST_OF_A_KEY = 64;

    /**
     * Of a key and a URI together, in characters: as much memory as everything else that is kept of
     * them.
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
     * None yet.
     *
     * @param most of all keys together, if they are of usual length
     * @param kept how long a copy may live at most
     */
    public QueryUrlVariants(int most, Duration kept, InstantSource clock) {
        this.most = most;
        this.keptMillis = kept.toMillis();
        this.clock = clock;
    }

    /**
     * Notes that a copy of now may be kept under the URI; false if there is no place for it, or no
     * path to purge it by.
     */
    public boolean enter(String key, String uri) {
        if (uri.length() > MAX_URI_LENGTH || !uri.startsWith("/")) {
            return false;
        }
        long now = clock.millis();
        sweep(now, weight(key, uri));
        Map<String, Long> known = untilByKey.compute(
                key, (same, uris) -> enter(key, uris == null ? new ConcurrentHashMap<>() : uris, uri, now));
        return known != null && known.containsKey(uri);
    }

    /** Every URI under which a copy may be kept. */
    public List<String> of(String key) {
        return List.copyOf(untilByKey.getOrDefault(key, Map.of()).keySet());
    }

    private @Nullable Map<String, Long> enter(String key, Map<String, Long> uris, String uri, long now) {
        boolean isKnown = uris.containsKey(uri);
        if (!isKnown && uris.size() >= MOST_OF_A_KEY) {
            dropExpired(key, uris, now);
        }
        if (isKnown || (uris.size() < MOST_OF_A_KEY && takePlace(weight(key, uri)))) {
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

    /** How many spellings of usual length it counts as. */
    private static int weight(String key, String uri) {
        return 1 + (key.length() + uri.length()) / USUAL_LENGTH;
    }
}
