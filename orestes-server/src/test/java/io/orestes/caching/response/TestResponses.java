package io.orestes.caching.response;

import io.orestes.caching.ttl.Ttls;
import io.vertx.core.buffer.Buffer;

/** Responses to put into caches under test. */
public final class TestResponses {

    private TestResponses() {}

    /** Creates an object's response with a body of {@code version}. */
    public static CachedResponse of(long version, Ttls ttls, long created) {
        return of(Buffer.buffer("{\"version\":" + version + "}"), version, ttls, created);
    }

    static CachedResponse of(Buffer body, long version, Ttls ttls, long created) {
        CachedResponse.Headers headers = new CachedResponse.Headers(
                "\"" + version + "\"", "application/json;charset=utf-8", "public, max-age=" + ttls.browserSeconds());
        return new CachedResponse(headers, body, version, ttls, created);
    }
}
