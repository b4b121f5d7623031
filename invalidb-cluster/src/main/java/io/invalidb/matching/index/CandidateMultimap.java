package io.invalidb.matching.index;

import io.invalidb.query.filter.PathConstraint;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A hash multimap from keys to candidate filters. Single-threaded. */
final class CandidateMultimap<K> {

    private final Map<K, CandidateList> bags = new HashMap<>();

    CandidateRegistration add(K key, MatchCandidate matchCandidate) {
        return add(key, matchCandidate, null);
    }

    /**
     * @param further another constraint that a document has to satisfy for {@link
     *     CandidateList#find} to find it
     */
    CandidateRegistration add(K key, MatchCandidate matchCandidate, @Nullable PathConstraint further) {
        return bags.computeIfAbsent(key, KeyedBag::new).add(matchCandidate, further);
    }

    /** Passes on the candidates with the key. */
    void find(K key, Consumer<CandidateList> action) {
        CandidateList candidateList = bags.get(key);
        if (candidateList != null) {
            action.accept(candidateList);
        }
    }

    /** Passes on all candidates. */
    void forEach(Consumer<MatchCandidate> action) {
        forEachBag(candidateList -> candidateList.forEach(action));
    }

    void forEachBag(Consumer<CandidateList> action) {
        bags.values().forEach(action);
    }

    boolean isEmpty() {
        return bags.isEmpty();
    }

    /** A bag that is removed when it is empty. */
    private final class KeyedBag extends CandidateList {
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
