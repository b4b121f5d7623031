package io.orestes.caching;

import io.orestes.caching.response.CachedResponse;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A report of the caching state of one key on this server: its cached response, lifetime of copies,
 * staleness and query URLs. Times are milliseconds since 1970.
 *
 * @param copy the cached response of this server; null if there is none
 * @param isTracked whether the key has its own entry; otherwise the times are those common to
 *     all untracked keys
 * @param cachedUntil time until which any cache may retain a copy; 0 if none does
 * @param staleUntil time until which the key is in the filter of stale keys; 0 if it does not
 *     belong there
 * @param isInFilter whether clients find it there; a false positive if it does not belong there
 * @param urlVariants the URLs, beside the canonical one, under which shared caches may store it
 */
public record KeyReport(
        @Nullable CachedResponse copy,
        boolean isTracked,
        long cachedUntil,
        long staleUntil,
        boolean isInFilter,
        List<String> urlVariants) {

    public KeyReport {
        urlVariants = List.copyOf(urlVariants);
    }
}
