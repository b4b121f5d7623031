package io.orestes.histories.workload;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * The objects with lives in use: few, each replaced by a new one after a number of operations.
 * Thread-safe.
 */
final class LifeKeys {

    static final String BUCKET = "Life";

    private static final int PLACES = 24;
    private static final int MOST_OPERATIONS = 150;

    private final int[] operations = new int[PLACES];
    private final int[] generations = new int[PLACES];
    private final Set<String> used = new LinkedHashSet<>();

    /** Returns an object for the next operation, some more often than others. */
    synchronized String next(Random dice) {
        int place = (int) (PLACES * Math.pow(dice.nextDouble(), 2));
        if (++operations[place] > MOST_OPERATIONS) {
            operations[place] = 1;
            generations[place]++;
        }
        String key = "/db/%s/%d-%d".formatted(BUCKET, place, generations[place]);
        used.add(key);
        return key;
    }

    /** Returns all objects that ever were in use. */
    synchronized List<String> used() {
        return List.copyOf(used);
    }
}
