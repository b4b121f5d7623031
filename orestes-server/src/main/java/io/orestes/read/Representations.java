package io.orestes.read;

import io.orestes.caching.response.CachedResponse;
import io.orestes.caching.ttl.Ttls;
import io.vertx.core.buffer.Buffer;
import java.time.InstantSource;

/** Turns what was read into responses with validators and cache headers (RFC 9111, protocol §8.4 and §10.4). */
final class Representations {

    static final String JSON = "application/json;charset=utf-8";

    private static final String PRIVATE = "private, no-cache";
    private static final String REVALIDATE = "public, no-cache";

    private final InstantSource clock;

    Representations(InstantSource clock) {
        this.clock = clock;
    }

    /** For everybody, and for caches to keep. */
    CachedResponse shared(String etag, Buffer body, long version, Ttls ttls) {
        return response(etag, body, version, ttls, cacheControl(ttls));
    }

    /** For everybody, but changed while it was read: to be asked for again. */
    CachedResponse passing(String etag, Buffer body, long version) {
        return response(etag, body, version, Ttls.NONE, REVALIDATE);
    }

    /** For this caller alone. */
    CachedResponse personal(String etag, Buffer body, long version) {
        return response(etag, body, version, Ttls.NONE, PRIVATE);
    }

    private CachedResponse response(String etag, Buffer body, long version, Ttls ttls, String cacheControl) {
        return new CachedResponse(
                new CachedResponse.Headers(etag, JSON, cacheControl), body, version, ttls, clock.millis());
    }

    private static String cacheControl(Ttls ttls) {
        return "public, max-age=" + ttls.browserSeconds() + ", s-maxage=" + ttls.sharedSeconds();
    }
}
