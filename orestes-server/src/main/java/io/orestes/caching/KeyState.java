package io.orestes.caching;

import io.orestes.caching.response.CachedResponse;
import java.util.List;
import java.util.Optional;

/**
 * The caching state of one key: its cached response, lifetime of copies, staleness and query URLs.
 * It is what this server knows of the copies. Times are milliseconds since 1970.
 *
 * @param copy the cached response of this server
 * @param isTracked whether the key is known by itself; else times are those that all unknown keys
 *     have in common
 * @param heldUntil until when any cache may hold a copy; 0 if none does
 * @param staleUntil until when the key is in the filter of stale keys; 0 if it is not meant to be
 * @param isInFilter whether clients find it there; a false positive if it is not meant to be
 * @param spellings the URLs, beside the canonical one, under which shared caches may keep it
 */
public record KeyState(
        Optional<CachedResponse> copy,
        boolean isTracked,
        long heldUntil,
        long staleUntil,
        boolean isInFilter,
        List<String> spellings) {

    public KeyState {
        spellings = List.copyOf(spellings);
    }
}
