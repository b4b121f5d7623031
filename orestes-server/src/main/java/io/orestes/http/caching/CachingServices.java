package io.orestes.http.caching;

import io.orestes.caching.Caches;
import io.orestes.http.caller.RequestAuthenticator;
import io.orestes.http.protocol.ApiRouter;

/** The thread-safe services about cached responses that the routes of all event loops share. */
public record CachingServices(Caches caches, ReadSourceCounters reads, CacheKeyResolver keys) {

    /** Returns a builder of responses that caches may store. */
    public CacheableResponses replies() {
        return new CacheableResponses(reads);
    }

    /** Mounts the routes of the Bloom filter and of the caches. */
    public void mount(ApiRouter apiRouter, RequestAuthenticator authenticator) {
        new BloomFilterRoutes(authenticator, caches.replica(), caches.administrator()).mount(apiRouter);
        new CachingRoutes(authenticator, caches.administrator(), reads, keys).mount(apiRouter);
    }
}
