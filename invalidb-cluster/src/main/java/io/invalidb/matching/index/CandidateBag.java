package io.invalidb.matching.index;

import io.invalidb.query.PeriodicStepBudget;
import io.invalidb.query.filter.PathConstraint;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * An unordered collection of candidate filters, some with a further constraint. A document finds a
 * candidate with a further constraint by that constraint. Adding and removing a candidate without
 * one takes constant time. Single-threaded.
 */
class CandidateBag {

    private final List<PlainRegistration> plain = new ArrayList<>(1);

    /** Candidates with a further constraint, by its path. */
    private Map<String, PathIndex> narrowed = Map.of();

    final CandidateRegistration add(IndexedFilter indexedFilter) {
        PlainRegistration registration = new PlainRegistration(this, indexedFilter, plain.size());
        plain.add(registration);
        return registration;
    }

    final CandidateRegistration add(IndexedFilter indexedFilter, @Nullable PathConstraint further) {
        return further == null ? add(indexedFilter) : addNarrowed(indexedFilter, further);
    }

    private CandidateRegistration addNarrowed(IndexedFilter indexedFilter, PathConstraint further) {
        if (narrowed.isEmpty()) {
            narrowed = new HashMap<>(2);
        }
        PathIndex at = narrowed.computeIfAbsent(further.path(), PathIndex::new);
        return new NarrowedRegistration(this, further.path(), at, at.addSole(further, indexedFilter, null));
    }

    final boolean isEmpty() {
        return plain.isEmpty() && narrowed.isEmpty();
    }

    /** Returns whether there are candidates with a further constraint. */
    final boolean isDivided() {
        return !narrowed.isEmpty();
    }

    /** Passes on the candidates with a further constraint that the document may match. */
    final void findNarrowed(
            BsonDocument document, Consumer<IndexedFilter> action, PeriodicStepBudget periodicStepBudget) {
        narrowed.values().forEach(at -> at.find(document, action, periodicStepBudget));
    }

    final void forEach(Consumer<IndexedFilter> action) {
        forEachWhole(action);
        narrowed.values().forEach(at -> at.forEach(action));
    }

    /** Passes on the candidates without a further constraint. */
    final void forEachWhole(Consumer<IndexedFilter> action) {
        for (int i = 0; i < plain.size(); i++) {
            action.accept(plain.get(i).indexedFilter);
        }
    }

    /** Called when the last candidate is removed. */
    void onEmpty() {}

    /** Removes a registration; the last one moves to its position. */
    private void remove(PlainRegistration registration) {
        PlainRegistration last = plain.remove(plain.size() - 1);
        if (last != registration) {
            plain.set(registration.index, last);
            last.index = registration.index;
        }
        if (isEmpty()) {
            onEmpty();
        }
    }

    private void removeIfEmpty(String path, PathIndex at) {
        if (at.isEmpty() && narrowed.remove(path, at) && isEmpty()) {
            onEmpty();
        }
    }

    /** The registration of a candidate with a further constraint. */
    private record NarrowedRegistration(
            CandidateBag bag, String path, PathIndex index, CandidateRegistration registration)
            implements CandidateRegistration {

        @Override
        public void remove() {
            registration.remove();
            bag.removeIfEmpty(path, index);
        }
    }

    /** The registration of a candidate without one, with its position in the bag. */
    private static final class PlainRegistration implements CandidateRegistration {
        private final CandidateBag bag;
        private final IndexedFilter indexedFilter;
        private int index;

        private PlainRegistration(CandidateBag bag, IndexedFilter indexedFilter, int index) {
            this.bag = bag;
            this.indexedFilter = indexedFilter;
            this.index = index;
        }

        @Override
        public void remove() {
            bag.remove(this);
        }
    }
}
