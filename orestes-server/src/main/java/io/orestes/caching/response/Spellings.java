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
 * The URIs under which shared caches may hold the result of a query, by its canonical key; they keep one copy for each
 * spelling. Bounded: what finds no place must not be kept by shared caches. Thread-safe.
 */
public final class Spellings {

    /** Longer URIs find no place, in characters. */
    static final int MAX_URI_LENGTH = 4096;

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
     * @param most of all keys together
     * @param kept how long a copy may live at most
     */
    public Spellings(int most, Duration kept, InstantSource clock) {
        this.most = most;
        this.keptMillis = kept.toMillis();
        this.clock = clock;
    }

    /** Notes that a copy of now may be kept under the URI; false if there is no place for it. */
    public boolean enter(String key, String uri) {
        if (uri.length() > MAX_URI_LENGTH) {
            return false;
        }
        long now = clock.millis();
        sweep(now);
        Map<String, Long> known = untilByKey.compute(
                key, (same, uris) -> enter(uris == null ? new ConcurrentHashMap<>() : uris, uri, now + keptMillis));
        return known != null && known.containsKey(uri);
    }

    /** Every URI under which a copy may be kept. */
    public List<String> of(String key) {
        return List.copyOf(untilByKey.getOrDefault(key, Map.of()).keySet());
    }

    private Map<String, Long> enter(Map<String, Long> uris, String uri, long until) {
        if (uris.containsKey(uri)) {
            uris.merge(uri, until, Math::max);
        } else if (size.incrementAndGet() <= most) {
            uris.put(uri, until);
        } else {
            size.decrementAndGet();
        }
        return uris;
    }

    private void sweep(long now) {
        long due = nextSweep.get();
        if (size.get() >= most && now >= due && nextSweep.compareAndSet(due, now + BETWEEN_SWEEPS.toMillis())) {
            untilByKey.keySet().forEach(key -> untilByKey.computeIfPresent(key, (same, uris) -> alive(uris, now)));
        }
    }

    private @Nullable Map<String, Long> alive(Map<String, Long> uris, long now) {
        int before = uris.size();
        uris.values().removeIf(until -> until < now);
        size.addAndGet(uris.size() - before);
        return uris.isEmpty() ? null : uris;
    }
}
