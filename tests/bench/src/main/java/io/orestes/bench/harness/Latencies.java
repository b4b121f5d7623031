package io.orestes.bench.harness;

import java.util.Arrays;

/**
 * Durations in microseconds, in preallocated memory; those beyond its capacity are counted, but not
 * stored.
 */
public final class Latencies {

    private final int[] micros = new int[4_000_000];
    private int count;

    public void addNanos(long nanos) {
        if (count < micros.length) {
            micros[count] = (int) Math.min(Integer.MAX_VALUE, nanos / 1000);
        }
        count++;
    }

    public void clear() {
        count = 0;
    }

    public int count() {
        return count;
    }

    /** Returns the quantile in milliseconds for a share of all; infinite if there was none. */
    public double millis(double share) {
        int kept = Math.min(count, micros.length);
        if (kept == 0) {
            return Double.POSITIVE_INFINITY;
        }
        int[] sorted = Arrays.copyOf(micros, kept);
        Arrays.sort(sorted);
        return sorted[(int) Math.min(kept - 1L, (long) Math.ceil(share * kept))] / 1000.0;
    }
}
