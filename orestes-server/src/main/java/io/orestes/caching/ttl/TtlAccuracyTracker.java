package io.orestes.caching.ttl;

import com.github.benmanes.caffeine.cache.Cache;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.orestes.caching.ttl.TtlOutcomeListener.TtlKind;

/**
 * The times to live granted to the newest states, for comparison with their real lifetimes. The
 * first of several overlapping grants counts. Thread-safe.
 */
final class TtlAccuracyTracker {

    private final Cache<String, Grant> grants;
    private final TtlOutcomeListener outcomes;

    /** @param maxBytes as {@link BoundedKeyCacheFactory} counts them */
    TtlAccuracyTracker(long maxBytes, TtlOutcomeListener outcomes) {
        this.grants = BoundedKeyCacheFactory.ofBytes(maxBytes);
        this.outcomes = outcomes;
    }

    void granted(TtlKind ttlKind, String key, long ttlMillis, long now) {
        Grant known = grants.getIfPresent(key);
        if (known == null || known.isOver(now)) {
            grants.put(key, new Grant(now, ttlMillis, known == null ? now : known.since()));
        }
        if (known != null && known.isOver(now)) {
            outcomes.ended(ttlKind, false);
        }
    }

    /** Ends the newest state. Returns its known lifetime in ms, 0 if it had no grant. */
    @CanIgnoreReturnValue
    long changed(TtlKind ttlKind, String key, long now) {
        Grant known = grants.asMap().remove(key);
        if (known == null) {
            return 0;
        }
        outcomes.ended(ttlKind, !known.isOver(now));
        outcomes.measured(ttlKind, known.millis() / (double) Math.max(1, now - known.at()));
        return now - known.since();
    }

    void clear() {
        grants.invalidateAll();
    }

    /**
     * The last grant of a state, times in milliseconds since 1970.
     *
     * @param since the first grant of the same state
     */
    private record Grant(long at, long millis, long since) {

        boolean isOver(long now) {
            return at + millis <= now;
        }
    }
}
