package io.invalidb.matching.index;

import io.invalidb.query.filter.PathConstraint;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A hash multimap from keys to candidate filters. Single-threaded. */
final class CandidateMultimap<K> {

    private final Map<K, CandidateBag> bags = new HashMap<>();

    CandidateRegistration add(K key, IndexedFilter indexedFilter) {
        return add(key, indexedFilter, null);
    }

    /**
     * @param further another constraint that a document has to satisfy for {@link
     *     CandidateBag#find} to find it
     */
    CandidateRegistration add(K key, IndexedFilter indexedFilter, @Nullable PathConstraint further) {
        return bags.computeIfAbsent(key, KeyedBag::new).add(indexedFilter, further);
    }

    /** Passes on the candidates with the key. */
    void find(K key, Consumer<CandidateBag> action) {
        CandidateBag candidateBag = bags.get(key);
        if (candidateBag != null) {
            action.accept(candidateBag);
        }
    }

    /** Passes on all candidates. */
    void forEach(Consumer<IndexedFilter> action) {
        forEachBag(candidateBag -> candidateBag.forEach(action));
    }

    void forEachBag(Consumer<CandidateBag> action) {
        bags.values().forEach(action);
    }

    boolean isEmpty() {
        return bags.isEmpty();
    }

    /** A bag that is removed when it is empty. */
    private final class KeyedBag extends CandidateBag {
        private final K key;

        private KeyedBag(K key) {
            this.key = key;
        }

        @Override
        void onEmpty() {
            bags.remove(key);
        }
    }
}
