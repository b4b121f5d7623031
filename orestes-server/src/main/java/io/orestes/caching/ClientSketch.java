package io.orestes.caching;

import io.orestes.caching.sketch.SketchSnapshot;
import java.time.Duration;
import java.util.Optional;

/**
 * The sketch as clients receive it: a snapshot of the filter and the lag of purged caches.
 *
 * @param snapshot the stale keys
 * @param lag maximum lag of purged caches behind the snapshot; empty if it is unknown
 */
public record ClientSketch(SketchSnapshot snapshot, Optional<Duration> lag) {

    /**
     * Returns the lag in whole seconds, rounded up, or {@code unknown}: the value of
     * {@code Orestes-Purge-Lag}.
     */
    public String purgeLag() {
        return lag.map(known -> Long.toString(known.plusNanos(999_999_999).toSeconds()))
                .orElse("unknown");
    }
}
