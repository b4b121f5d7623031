package io.orestes.caching.purge;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The state of one purge target as operators see it: lag, backlog, counters and latency. Counts are
 * since the start.
 *
 * @param name name without secret parts
 * @param isLate whether it lags, so that writes do not wait for it at the moment
 * @param backlog requests that wait or are unconfirmed
 * @param sent requests sent, including those that were sent again
 * @param failed requests sent and not confirmed; they are sent again
 * @param givenUp requests given up permanently
 * @param flushes requests to purge everything
 * @param sinceConfirmed time since the last confirmation; null if there was none
 * @param latency time from the request to its confirmation
 */
public record PurgeTargetState(
        String name,
        boolean isLate,
        int backlog,
        long sent,
        long confirmed,
        long failed,
        long givenUp,
        long flushes,
        @Nullable Duration sinceConfirmed,
        PurgeLatency latency) {

    /**
     * The latency of purges at one target in the last minutes: median and 99th percentile.
     *
     * @param median zero if nothing was confirmed
     * @param percentile99 the 99th percentile
     */
    public record PurgeLatency(Duration median, Duration percentile99) {}
}
