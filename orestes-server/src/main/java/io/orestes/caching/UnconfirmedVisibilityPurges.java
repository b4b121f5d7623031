package io.orestes.caching;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.orestes.caching.purge.SharedCaches;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Collection;

/**
 * The keys of withdrawn public resources whose purge the shared caches have not confirmed yet.
 * These are keys of objects and paths of classes. At most 100,000 of them are retained, for a day.
 * Thread-safe.
 */
final class UnconfirmedVisibilityPurges {

    /** Maximum lifetime of a copy. */
    private static final Duration MAX_LIFETIME = Duration.ofDays(1);

    private static final int MAX_KEYS = 100_000;

    private final SharedCaches shared;
    private final Cache<String, Object> unconfirmed = Caffeine.newBuilder()
            .maximumSize(MAX_KEYS)
            .expireAfterWrite(MAX_LIFETIME)
            .build();

    UnconfirmedVisibilityPurges(SharedCaches shared) {
        this.shared = shared;
    }

    boolean isUnconfirmed(String key) {
        return unconfirmed.getIfPresent(key) != null;
    }

    /**
     * Purges hidden keys and returns whether the purge was confirmed. A confirmation covers the
     * keys as this call hid them, not keys that were hidden again since.
     */
    Future<Boolean> confirm(Collection<String> keys) {
        Object mark = new Object();
        keys.forEach(key -> unconfirmed.put(key, mark));
        return shared.confirmPurges(Duration.ZERO).onSuccess(areForgotten -> {
            if (areForgotten) {
                keys.forEach(key -> unconfirmed.asMap().remove(key, mark));
            }
        });
    }
}
