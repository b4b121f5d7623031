package io.orestes.bench.ttl;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Reads and writes of objects in the order of their times. Arrivals are a Poisson process; the
 * choice of objects follows Zipf's law with exponent 0.99, as in YCSB (Cooper et al., SoCC 2010).
 * Equal seeds give equal traces.
 */
final class Trace {

    private static final double ZIPF_EXPONENT = 0.99;

    private final long[] millis;
    private final int[] keys;
    private final boolean[] isWrite;
    private final long[] nextWrite;

    private Trace(int operations) {
        millis = new long[operations];
        keys = new int[operations];
        isWrite = new boolean[operations];
        nextWrite = new long[operations];
    }

    /**
     * Creates a trace.
     *
     * @param writeShare of all operations, from 0 to 1
     */
    static Trace of(long seed, int objects, int operations, double perSecond, double writeShare) {
        SplittableRandom random = new SplittableRandom(seed);
        double[] zipf = zipf(objects);
        Trace trace = new Trace(operations);
        double now = 0;
        for (int i = 0; i < operations; i++) {
            now += -Math.log1p(-random.nextDouble()) * 1000 / perSecond;
            trace.millis[i] = (long) now;
            trace.keys[i] = rank(zipf, random.nextDouble());
            trace.isWrite[i] = random.nextDouble() < writeShare;
        }
        trace.lookAhead(objects);
        return trace;
    }

    int length() {
        return millis.length;
    }

    /** Returns when operation number {@code i} is due, since the beginning. */
    long millis(int i) {
        return millis[i];
    }

    int key(int i) {
        return keys[i];
    }

    boolean isWrite(int i) {
        return isWrite[i];
    }

    /**
     * Returns the next write of the object of operation number {@code i}; {@code Long.MAX_VALUE} if
     * there is none.
     */
    long nextWrite(int i) {
        return nextWrite[i];
    }

    private void lookAhead(int objects) {
        long[] next = new long[objects];
        Arrays.fill(next, Long.MAX_VALUE);
        for (int i = length() - 1; i >= 0; i--) {
            nextWrite[i] = next[keys[i]];
            if (isWrite[i]) {
                next[keys[i]] = millis[i];
            }
        }
    }

    /** Returns for each rank the probability that a key has it or a smaller one. */
    private static double[] zipf(int objects) {
        double[] sums = new double[objects];
        double sum = 0;
        for (int rank = 0; rank < objects; rank++) {
            sum += Math.pow(rank + 1.0, -ZIPF_EXPONENT);
            sums[rank] = sum;
        }
        for (int rank = 0; rank < objects; rank++) {
            sums[rank] /= sum;
        }
        return sums;
    }

    private static int rank(double[] sums, double point) {
        int found = Arrays.binarySearch(sums, point);
        return Math.min(sums.length - 1, found < 0 ? -found - 1 : found + 1);
    }
}
