package io.orestes.caching.response;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.Optional;

/**
 * A cache of canonical query keys by request URI, which saves the parsing of repeated queries. An
 * entry never expires, because the key depends only on the URI. Thread-safe.
 */
public final class QueryKeyCache {

    /** Maximum length of a URI in UTF-16 code units; longer ones are not cached. */
    static final int MAX_URI_LENGTH = 4096;

    private final Cache<String, String> keys;

    /**
     * Creates an empty cache.
     *
     * @param maxBytes heap for URIs and keys, roughly
     */
    public QueryKeyCache(long maxBytes) {
        keys = Caffeine.newBuilder()
                .maximumWeight(maxBytes)
                .weigher((String uri, String key) -> 128 + 2 * (uri.length() + key.length()))
                .build();
    }

    /** Returns the canonical key of a cached URI. */
    public Optional<String> find(String uri) {
        return Optional.ofNullable(keys.getIfPresent(uri));
    }

    /** Caches the canonical key of a query sent as {@code uri}. */
    public void remember(String uri, String key) {
        if (uri.length() <= MAX_URI_LENGTH) {
            keys.put(uri, key);
        }
    }
}
