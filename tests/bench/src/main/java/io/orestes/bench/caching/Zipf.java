package io.orestes.bench.caching;

import java.util.Arrays;
import java.util.Random;

/** Ranks from 0 up, the rank r as often as 1/(r+1)^exponent. */
final class Zipf {

    private final double[] cumulated;

    Zipf(int ranks, double exponent) {
        cumulated = new double[ranks];
        double sum = 0;
        for (int rank = 0; rank < ranks; rank++) {
            sum += Math.pow(rank + 1.0, -exponent);
            cumulated[rank] = sum;
        }
    }

    int next(Random random) {
        double wanted = random.nextDouble() * cumulated[cumulated.length - 1];
        int found = Arrays.binarySearch(cumulated, wanted);
        return Math.min(cumulated.length - 1, found < 0 ? -found - 1 : found);
    }
}
