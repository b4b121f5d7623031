package io.orestes.caching.ttl;

/**
 * The write rate of one object, estimated by a moving average of the time between writes. It also
 * records the time of the last write.
 */
final class WriteRate {

    private final ExponentialMovingAverage intervalMillis;
    private volatile long lastWrite;

    WriteRate(long assumedIntervalMillis, long firstWrite) {
        intervalMillis = new ExponentialMovingAverage((double) assumedIntervalMillis);
        lastWrite = firstWrite;
    }

    synchronized void written(long now) {
        intervalMillis.add((double) Math.max(0, now - lastWrite));
        lastWrite = now;
    }

    /**
     * Returns the expected writes per millisecond. An object that has rested longer than its mean
     * interval counts as slower.
     */
    double perMillisecond(long now) {
        return 1 / Math.max(1, Math.max(intervalMillis.value(), (double) (now - lastWrite)));
    }
}
