package io.orestes.caching.purge;

import java.time.Duration;
import java.util.Optional;

/**
 * The state of one purge target as operators see it: lag, backlog, counters and latency. Counts are
 * since the start.
 *
 * @param name without what is secret
 * @param isLate whether writes do not wait for it at the moment, as it is behind
 * @param backlog orders that wait or were not answered yet
 * @param sent orders on their way or answered, those that were sent again among them
 * @param failed sent and not answered; they are sent again
 * @param dead purges that were given up for good
 * @param flushes orders to purge everything
 * @param sinceConfirmed how long ago the last confirmation came; empty if none has
 * @param latency from the order to its confirmation
 */
public record PurgeTargetState(
        String name,
        boolean isLate,
        int backlog,
        long sent,
        long confirmed,
        long failed,
        long dead,
        long flushes,
        Optional<Duration> sinceConfirmed,
        PurgeLatency latency) {

    /**
     * The latency of purges at one target in the last minutes: median and 99th percentile.
     *
     * @param median zero if nothing was confirmed
     * @param most the 99th percentile
     */
    public record PurgeLatency(Duration median, Duration most) {}
}
