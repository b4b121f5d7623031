package io.orestes.caching.ttl;

/**
 * An exponentially weighted moving average, in which each new value has a weight of 30 %. Written
 * by one thread at a time, read by any.
 */
final class ExponentialMovingAverage {

    private static final double WEIGHT = 0.3;

    private volatile double value;

    ExponentialMovingAverage(double first) {
        value = first;
    }

    double value() {
        return value;
    }

    synchronized void add(double next) {
        value = (1 - WEIGHT) * value + WEIGHT * next;
    }
}
