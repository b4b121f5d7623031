package io.orestes.caching;

import io.orestes.caching.sketch.SketchSnapshot;
import java.time.Duration;
import java.util.Optional;

/**
 * The sketch as clients receive it: a snapshot of the filter and the lag of purged caches.
 *
 * @param snapshot the stale keys
 * @param lag how far purged caches may be behind that; empty if it is unknown
 */
public record ClientSketch(SketchSnapshot snapshot, Optional<Duration> lag) {

    /**
     * The lag in whole seconds, rounded up, or {@code unknown}; as {@code Orestes-Purge-Lag} says
     * it.
     */
    public String purgeLag() {
        return lag.map(known -> Long.toString(known.plusNanos(999_999_999).toSeconds()))
                .orElse("unknown");
    }
}
