package io.invalidb.matching;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/** Candidates by key. Single-threaded. */
final class BagTable<K> {

    private final Map<K, Bag> bags = new HashMap<>();

    Place add(K key, Candidate candidate) {
        return bags.computeIfAbsent(key, Keyed::new).add(candidate);
    }

    void forEach(K key, Consumer<Candidate> action) {
        Bag bag = bags.get(key);
        if (bag != null) {
            bag.forEach(action);
        }
    }

    /** Whatever the key. */
    void forEach(Consumer<Candidate> action) {
        bags.values().forEach(bag -> bag.forEach(action));
    }

    boolean isEmpty() {
        return bags.isEmpty();
    }

    /** A bag that goes when it is empty. */
    private final class Keyed extends Bag {
        private final K key;

        private Keyed(K key) {
            this.key = key;
        }

        @Override
        void onEmpty() {
            bags.remove(key);
        }
    }
}
