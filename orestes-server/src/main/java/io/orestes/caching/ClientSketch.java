package io.orestes.caching;

import io.orestes.caching.sketch.SketchSnapshot;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The sketch as clients receive it: a snapshot of the filter and the lag of purged caches.
 *
 * @param snapshot the stale keys
 * @param lag maximum lag of purged caches behind the snapshot; null if it is unknown
 */
public record ClientSketch(SketchSnapshot snapshot, @Nullable Duration lag) {

    /**
     * Returns the lag in whole seconds, rounded up, or {@code unknown}: the value of
     * {@code Orestes-Purge-Lag}.
     */
    public String purgeLag() {
        return lag == null
                ? "unknown"
                : Long.toString(lag.plusNanos(999_999_999).toSeconds());
    }
}
