package io.orestes.histories.workload;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * The objects in use: some lists and registers, each replaced by a new one after a number of
 * writes. Thread-safe.
 */
final class Keys {

    static final String LISTS = "Log";
    static final String REGISTERS = "Register";

    private static final int MOST_WRITES = 60;
    private static final int PLACES = 60;

    private final int[] writes = new int[PLACES];
    private final int[] generations = new int[PLACES];
    private final Set<String> used = new LinkedHashSet<>();
    private int values;

    /** Returns any object, some more often than others. */
    synchronized String any(Random dice) {
        String key = key((int) (PLACES * Math.pow(dice.nextDouble(), 2)));
        used.add(key);
        return key;
    }

    private String key(int place) {
        return "/db/%s/%d-%d".formatted(place % 2 == 0 ? LISTS : REGISTERS, place, generations[place]);
    }

    static boolean isList(String key) {
        return key.startsWith("/db/" + LISTS);
    }

    /** Returns a value that was never used, to be written to that key. */
    synchronized int nextValue(String key) {
        int place = Integer.parseInt(key.substring(key.lastIndexOf('/') + 1, key.lastIndexOf('-')));
        if (key.equals(key(place)) && ++writes[place] == MOST_WRITES) {
            writes[place] = 0;
            generations[place]++;
        }
        return ++values;
    }

    /** Returns all objects that ever were in use. */
    synchronized List<String> used() {
        return List.copyOf(used);
    }
}
