package io.orestes.caching;

import io.orestes.caching.purge.SharedCaches;
import io.orestes.caching.purge.SurrogateKeys;
import io.orestes.caching.response.QueryKeyCache;
import io.orestes.caching.response.QueryUrlVariants;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The URLs of cached resources. Each key has a canonical URL. A query has further ones: aliases, by
 * which its key is found without parsing, and variants, under which shared caches store its result.
 * Thread-safe.
 */
public final class ResourceUrls {

    private static final Logger log = LoggerFactory.getLogger(ResourceUrls.class);

    /** Path before the keys in the URLs of the interface. */
    private static final String BASE = "/v1";

    private final SharedCaches shared;
    private final QueryKeyCache aliases;
    private final QueryUrlVariants variants;

    ResourceUrls(CachingConfig config, SharedCaches shared, InstantSource clock) {
        this.shared = shared;
        this.aliases = new QueryKeyCache(config.aliasBytes());
        this.variants = new QueryUrlVariants(
                config.purge().maxUrlVariants(), config.ttl().sharedMax().plus(Caches.LIFETIME_TOLERANCE), clock);
    }

    /**
     * Registers the URL under which a query result is sent. Must be called before
     * {@link ReadCache#lookup(String)} and {@link ReadCache#issueTicket}. After false no shared
     * cache may store the response, because it could not be purged.
     */
    public boolean registerVariant(String key, String url) {
        return !shared.isEnabled() || isCanonical(key, url) || variants.add(key, url);
    }

    /** Remembers the canonical key of a query that is always requested by this URL. */
    public void addAlias(String key, String url) {
        aliases.remember(url, key);
    }

    /** Returns the surrogate keys of a response; empty if no shared cache purges by them. */
    public String surrogateKeys(String key) {
        return shared.isEnabled() ? SurrogateKeys.of(BASE + key) : "";
    }

    /** Returns the key of an object by its URL. */
    static String objectKey(String url) {
        return url.substring(BASE.length());
    }

    /** Returns the key of a query with this alias, if shared caches may store its result. */
    Optional<String> findQuery(String url) {
        return aliases.find(url).filter(key -> registerVariant(key, url));
    }

    /** Returns the variants under which shared caches may store a key. */
    List<String> variants(String key) {
        return variants.of(key);
    }

    /**
     * Purges every URL under which shared caches may store the key. A purge that fails does not
     * prevent the others; the result is false then.
     */
    boolean purge(String key) {
        boolean areRequested = tryPurge(shared::purge, BASE + key);
        for (String url : variants.of(key)) {
            areRequested &= tryPurge(shared::purgeUrl, url);
        }
        return areRequested;
    }

    private static boolean tryPurge(Consumer<String> purge, String url) {
        try {
            purge.accept(url);
            return true;
        } catch (RuntimeException failure) {
            log.error("The purge of {} may have reached no shared cache", url, failure);
            return false;
        }
    }

    /** Purges the URLs of all keys with this prefix. */
    void purgePrefix(String path) {
        shared.purgePrefix(BASE + path);
    }

    private static boolean isCanonical(String key, String url) {
        return url.length() == BASE.length() + key.length() && url.startsWith(BASE) && url.endsWith(key);
    }
}
