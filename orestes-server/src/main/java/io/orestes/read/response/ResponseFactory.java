package io.orestes.read.response;

import io.orestes.caching.response.CachedResponse;
import io.orestes.caching.ttl.Ttls;
import java.time.InstantSource;

/**
 * The factory of responses with validators and cache headers (RFC 9111, protocol §8.4 and §10.4).
 */
public final class ResponseFactory {

    static final String JSON = "application/json;charset=utf-8";

    private static final String PRIVATE = "private, no-cache";
    private static final String REVALIDATE = "public, no-cache";

    private final InstantSource clock;

    public ResponseFactory(InstantSource clock) {
        this.clock = clock;
    }

    /** Creates a public response that all caches may store. */
    public CachedResponse shared(
            RenderedBody renderedBody, long version, Ttls ttls, Consistency consistency, String surrogateKeys) {
        String cacheControl = consistency.level() == Consistency.ConsistencyLevel.ANY ? relaxed(ttls) : strict(ttls);
        return response(renderedBody, version, ttls, cacheControl, surrogateKeys);
    }

    /**
     * Creates a public response that no shared cache may store. A browser may store it, and use it
     * without revalidation if it has the sketch, within the bound in the response.
     */
    public CachedResponse browserOnly(RenderedBody renderedBody, Ttls ttls) {
        return response(renderedBody, 0, ttls, "private, max-age=" + ttls.browserSeconds(), "");
    }

    /** Creates a public response that changed while it was read: caches revalidate it. */
    public CachedResponse revalidated(RenderedBody renderedBody, long version) {
        return response(renderedBody, version, Ttls.NONE, REVALIDATE, "");
    }

    /** Creates a response for this caller alone. */
    public CachedResponse privateResponse(RenderedBody renderedBody, long version) {
        return response(renderedBody, version, Ttls.NONE, PRIVATE, "");
    }

    /**
     * Returns a copy of a response that no shared cache may store, and that browsers revalidate.
     */
    public CachedResponse privateCopy(CachedResponse response) {
        CachedResponse.Headers headers = response.headers();
        return new CachedResponse(
                new CachedResponse.Headers(headers.etag(), headers.contentType(), PRIVATE, headers.surrogateKeys()),
                response.body(),
                response.version(),
                Ttls.NONE,
                response.createdMillis());
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
     * Returns the cache directives with a stale part: in the last tenth of its life a copy is
     * served while a newer one is fetched or cannot be had (RFC 5861). It is part of the times to
     * live and not added to them, since the sketch accounts for those, and no cache stores a copy
     * for longer.
     */
    private static String relaxed(Ttls ttls) {
        int grace = Math.min(ttls.browserSeconds(), ttls.sharedSeconds()) / 10;
        Ttls lives = new Ttls(ttls.browserSeconds() - grace, ttls.sharedSeconds() - grace);
        return grace == 0
                ? strict(ttls)
                : strict(lives) + ", stale-while-revalidate=" + grace + ", stale-if-error=" + grace;
    }
}
