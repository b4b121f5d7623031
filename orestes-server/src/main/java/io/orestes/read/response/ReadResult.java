package io.orestes.read.response;

import io.orestes.caching.response.CachedResponse;

/**
 * The result of a read: the response with its cache headers, and where it came from.
 *
 * @param response the response with its cache headers
 * @param source its source
 */
public record ReadResult(CachedResponse response, ResponseSource source) {

    /** Returns the result for a caller that bypasses caches; caches may store it for others. */
    public ReadResult asBypass() {
        return new ReadResult(response, ResponseSource.BYPASS);
    }

    /**
     * The source of a response: the response cache, the store on a miss, or a bypass. Its name in
     * lower case is the header {@code Orestes-Cache}.
     */
    public enum ResponseSource {
        /** The response cache answered. */
        HIT,
        /** The store answered; the response cache stores the response if that is allowed. */
        MISS,
        /**
         * The store answered, because the caller demanded that or because no cache may store the
         * response.
         */
        BYPASS
    }
}
