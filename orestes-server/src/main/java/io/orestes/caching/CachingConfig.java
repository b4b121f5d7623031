package io.orestes.caching;

import io.orestes.caching.purge.PurgeConfig;
import io.orestes.caching.sketch.SketchConfig;
import io.orestes.caching.ttl.TtlConfig;

/**
 * The configuration of caching: sketch, times to live, memory budgets and purged shared caches.
 *
 * @param sketch size of the filter of stale keys
 * @param ttl bounds of times to live
 * @param responseBytes heap for ready-made responses, by default 64 MB; 0 turns the response
 *     cache off
 * @param aliasBytes heap for URLs of cached queries, by default 8 MB
 * @param purge the shared caches to purge, by default none
 * @param sharesUnpurged whether shared caches may store query results even if none is purged;
 *     false by default
 */
public record CachingConfig(
        SketchConfig sketch,
        TtlConfig ttl,
        long responseBytes,
        long aliasBytes,
        PurgeConfig purge,
        boolean sharesUnpurged) {

    public static final CachingConfig DEFAULTS =
            new CachingConfig(SketchConfig.DEFAULTS, TtlConfig.DEFAULTS, 64L << 20, 8L << 20, PurgeConfig.NONE, false);

    public CachingConfig {
        if (responseBytes < 0 || aliasBytes < 0) {
            throw new IllegalArgumentException("Negative size: " + responseBytes + ", " + aliasBytes);
        }
    }
}
