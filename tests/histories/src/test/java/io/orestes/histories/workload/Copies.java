package io.orestes.histories.workload;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * What one client remembers of objects, as a browser's cache does, only longer: copies of any age
 * are taken. Single-threaded.
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

    /** A copy, if there is one and it is to be taken this time. */
    Optional<State> of(String key, Random dice) {
        return dice.nextDouble() < TAKEN ? Optional.ofNullable(states.get(key)) : Optional.empty();
    }
}
