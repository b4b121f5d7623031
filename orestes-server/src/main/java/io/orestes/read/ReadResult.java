package io.orestes.read;

import io.orestes.caching.response.CachedResponse;

/**
 * The result of a read: the response with its cache headers, and where it came from.
 *
 * @param response the answer, with the headers that say who may keep it
 * @param source where it was taken from
 */
public record ReadResult(CachedResponse response, ResponseSource source) {

    /** The same for a caller who wanted no cached one; caches may keep it for others. */
    ReadResult bypassing() {
        return new ReadResult(response, ResponseSource.BYPASS);
    }

    /**
     * The source of a response: the response cache, the store on a miss, or a bypass. Its name in
     * lower case is the header {@code Orestes-Cache}.
     */
    public enum ResponseSource {
        /** The response cache. */
        HIT,
        /** The store; the response cache keeps it now, if it may. */
        MISS,
        /**
         * The store, because the caller wanted that or because not even the response cache may keep
         * it.
         */
        BYPASS
    }
}
