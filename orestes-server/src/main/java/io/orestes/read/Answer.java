package io.orestes.read;

import io.orestes.caching.response.CachedResponse;

/**
 * What a read comes to.
 *
 * @param response the answer, with the headers that say who may keep it
 * @param source where it was taken from
 */
public record Answer(CachedResponse response, Source source) {

    /** The same for a caller who wanted no cached one; caches may keep it for others. */
    Answer bypassing() {
        return new Answer(response, Source.BYPASS);
    }

    /** Where an answer was taken from; its name in lower case is the {@code Orestes-Cache} header. */
    public enum Source {
        /** The response cache. */
        HIT,
        /** The store; the response cache keeps it now, if it may. */
        MISS,
        /** The store, because the caller wanted that or because not even the response cache may keep it. */
        BYPASS
    }
}
