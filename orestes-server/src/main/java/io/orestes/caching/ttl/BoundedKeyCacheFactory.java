package io.orestes.caching.ttl;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

/**
 * A factory of caches by key that are bounded by memory. An entry counts as a flat charge and its
 * key. When the bound is reached, the least used keys are evicted.
 */
final class BoundedKeyCacheFactory {

    /** Bytes of an entry whose key has 50 characters. */
    static final int USUAL_BYTES = 200;

    /** Bytes of an entry beside the characters of its key. */
    private static final int OVERHEAD = 150;

    private BoundedKeyCacheFactory() {}

    static <V> Cache<String, V> ofBytes(long maxBytes) {
        return Caffeine.newBuilder()
                .maximumWeight(maxBytes)
                .weigher((String key, V value) -> OVERHEAD + key.length())
                .build();
    }
}
