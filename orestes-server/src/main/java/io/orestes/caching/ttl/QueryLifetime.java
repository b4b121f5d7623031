package io.orestes.caching.ttl;

import org.jspecify.annotations.Nullable;

/**
 * An estimate of the lifetime of one query's results: a moving average of the times between
 * changes. Only watched time counts: from when a result was sent until its changes are no longer
 * observed. Watched time that passes without a change adds to the next lifetime. For a Poisson
 * process that is free of bias. A mean over only those copies that changed early would become
 * shorter with every round, since none of them outlives its time to live. Thread-safe. Times are
 * milliseconds since 1970.
 */
final class QueryLifetime {

    private @Nullable ExponentialMovingAverage mean;
    private double unchangedMillis;
    private long watchedFrom;
    private long watchedUntil;

    /** Records that changes are observed from {@code now} to {@code until} at least. */
    synchronized void watched(long now, long until) {
        if (now > watchedUntil) {
            unchangedMillis += watchedUntil - watchedFrom;
            watchedFrom = now;
        }
        watchedUntil = Math.max(watchedUntil, until);
    }

    /**
     * Records a change of the result. Until the result is sent again, further changes carry no
     * information.
     */
    synchronized void changed(long now) {
        if (watchedFrom == watchedUntil) {
            return;
        }
        double lifetime = unchanged(now);
        if (mean == null) {
            mean = new ExponentialMovingAverage(lifetime);
        } else {
            mean.add(lifetime);
        }
        unchangedMillis = 0;
        watchedFrom = now;
        watchedUntil = now;
    }

    /**
     * Returns the probable lifetime of a result that is sent now: at least as long as its present
     * age.
     *
     * @param start the estimate for a query without an observed change
     */
    synchronized double millis(double start, long now) {
        return Math.max(mean == null ? start : mean.value(), unchanged(now));
    }

    private double unchanged(long now) {
        return unchangedMillis + Math.max(0, Math.min(now, watchedUntil) - watchedFrom);
    }
}
