package io.orestes.read;

import io.orestes.caching.response.CachedResponse;
import io.orestes.caching.ttl.Ttls;
import java.time.InstantSource;

/**
 * The factory of responses with validators and cache headers (RFC 9111, protocol §8.4 and §10.4).
 */
final class ResponseFactory {

    static final String JSON = "application/json;charset=utf-8";

    private static final String PRIVATE = "private, no-cache";
    private static final String REVALIDATE = "public, no-cache";

    private final InstantSource clock;

    ResponseFactory(InstantSource clock) {
        this.clock = clock;
    }

    /** For everybody, and for caches to keep. */
    CachedResponse shared(
            RenderedBody renderedBody, long version, Ttls ttls, Consistency consistency, String surrogateKeys) {
        String cacheControl = consistency.level() == Consistency.ConsistencyLevel.ANY ? relaxed(ttls) : strict(ttls);
        return response(renderedBody, version, ttls, cacheControl, surrogateKeys);
    }

    /**
     * For everybody, but for no cache of many users to keep. A browser may, and take it without
     * asking if it knows the filter: for as long as the answer's bound says.
     */
    CachedResponse unshared(RenderedBody renderedBody, Ttls ttls) {
        return response(renderedBody, 0, ttls, "private, max-age=" + ttls.browserSeconds(), "");
    }

    /** For everybody, but changed while it was read: to be asked for again. */
    CachedResponse passing(RenderedBody renderedBody, long version) {
        return response(renderedBody, version, Ttls.NONE, REVALIDATE, "");
    }

    /** For this caller alone. */
    CachedResponse personal(RenderedBody renderedBody, long version) {
        return response(renderedBody, version, Ttls.NONE, PRIVATE, "");
    }

    private CachedResponse response(
            RenderedBody renderedBody, long version, Ttls ttls, String cacheControl, String surrogateKeys) {
        return new CachedResponse(
                new CachedResponse.Headers(renderedBody.etag(), JSON, cacheControl, surrogateKeys),
                renderedBody.body(),
                version,
                ttls,
                clock.millis());
    }

    private static String strict(Ttls ttls) {
        return "public, max-age=" + ttls.browserSeconds() + ", s-maxage=" + ttls.sharedSeconds();
    }

    /**
     * The last tenth of a life is spent expired, to be served while a newer copy is fetched or
     * cannot be had (RFC 5861). It is part of the times to live and not added to them: those the
     * sketch knows, and nobody keeps a copy for longer.
     */
    private static String relaxed(Ttls ttls) {
        int grace = Math.min(ttls.browserSeconds(), ttls.sharedSeconds()) / 10;
        Ttls lives = new Ttls(ttls.browserSeconds() - grace, ttls.sharedSeconds() - grace);
        return grace == 0
                ? strict(ttls)
                : strict(lives) + ", stale-while-revalidate=" + grace + ", stale-if-error=" + grace;
    }
}
