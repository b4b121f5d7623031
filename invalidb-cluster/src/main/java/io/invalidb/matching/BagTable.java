package io.invalidb.matching;

import io.invalidb.query.PathConstraint;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Candidates by key. Single-threaded. */
final class BagTable<K> {

    private final Map<K, Bag> bags = new HashMap<>();

    Place add(K key, Candidate candidate) {
        return add(key, candidate, Optional.empty());
    }

    /** @param further what else a document has to satisfy for {@link Bag#find} to find it */
    Place add(K key, Candidate candidate, Optional<PathConstraint> further) {
        return bags.computeIfAbsent(key, Keyed::new).add(candidate, further);
    }

    /** Hands out those with the key, if there are any. */
    void find(K key, Consumer<Bag> action) {
        Bag bag = bags.get(key);
        if (bag != null) {
            action.accept(bag);
        }
    }

    /** Whatever the key. */
    void forEach(Consumer<Candidate> action) {
        forEachBag(bag -> bag.forEach(action));
    }

    void forEachBag(Consumer<Bag> action) {
        bags.values().forEach(action);
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
