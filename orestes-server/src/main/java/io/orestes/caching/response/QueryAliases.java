package io.orestes.caching.response;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.Optional;

/**
 * A cache of canonical query keys by request URI, which saves the parsing of repeated queries. An
 * alias is valid for ever, because the key depends on nothing but the URI. Thread-safe.
 */
public final class QueryAliases {

    /** Longer URIs are not remembered, in UTF-16 code units. */
    static final int MAX_URI_LENGTH = 4096;

    private final Cache<String, String> keys;

    /**
     * No aliases yet.
     *
     * @param maxBytes heap for URIs and keys, roughly
     */
    public QueryAliases(long maxBytes) {
        keys = Caffeine.newBuilder()
                .maximumWeight(maxBytes)
                .weigher((String uri, String key) -> 128 + 2 * (uri.length() + key.length()))
                .build();
    }

    /** The canonical key behind a URI seen before. */
    public Optional<String> find(String uri) {
        return Optional.ofNullable(keys.getIfPresent(uri));
    }

    /** Remembers the canonical key of a query sent as {@code uri}. */
    public void remember(String uri, String key) {
        if (uri.length() <= MAX_URI_LENGTH) {
            keys.put(uri, key);
        }
    }
}
