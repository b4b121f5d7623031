package io.orestes.histories.workload;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * Copies of objects of one client, such as in a browser's cache, but without an expiry.
 * Single-threaded.
 */
final class Copies {

    private static final double TAKEN = 0.2;

    private final Map<String, State> states = new HashMap<>();

    void keep(State state) {
        states.put(state.key(), state);
    }

    void drop(String key) {
        states.remove(key);
    }

    /** Returns a copy, if there is one and the random choice is to use it. */
    Optional<State> of(String key, Random dice) {
        return dice.nextDouble() < TAKEN ? Optional.ofNullable(states.get(key)) : Optional.empty();
    }
}
