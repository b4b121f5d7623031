package io.invalidb.matching.index;

import io.invalidb.query.CellBudget;
import io.invalidb.query.filter.PathConstraint;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.bson.BsonDocument;

/**
 * An unordered collection of candidate filters, some with a further constraint. A document finds a
 * candidate with a further constraint by that constraint. Adding and removing a candidate without
 * one takes constant time. Single-threaded.
 */
class CandidateBag {

    private final List<Entry> entries = new ArrayList<>(1);

    /** Candidates with a further constraint, by its path. */
    private Map<String, PathIndex> narrowed = Map.of();

    final CandidateEntry add(CandidateFilter candidateFilter) {
        Entry entry = new Entry(this, candidateFilter, entries.size());
        entries.add(entry);
        return entry;
    }

    final CandidateEntry add(CandidateFilter candidateFilter, Optional<PathConstraint> further) {
        return further.map(constraint -> add(candidateFilter, constraint)).orElseGet(() -> add(candidateFilter));
    }

    private CandidateEntry add(CandidateFilter candidateFilter, PathConstraint further) {
        if (narrowed.isEmpty()) {
            narrowed = new HashMap<>(2);
        }
        PathIndex at = narrowed.computeIfAbsent(further.path(), PathIndex::new);
        return new NarrowedEntry(this, further.path(), at, at.addSole(further, candidateFilter, Optional.empty()));
    }

    final boolean isEmpty() {
        return entries.isEmpty() && narrowed.isEmpty();
    }

    /** Returns whether there are candidates with a further constraint. */
    final boolean isDivided() {
        return !narrowed.isEmpty();
    }

    /** Passes on the candidates with a further constraint that the document may match. */
    final void findNarrowed(BsonDocument document, Consumer<CandidateFilter> action, CellBudget cellBudget) {
        narrowed.values().forEach(at -> at.find(document, action, cellBudget));
    }

    final void forEach(Consumer<CandidateFilter> action) {
        forEachWhole(action);
        narrowed.values().forEach(at -> at.forEach(action));
    }

    /** Passes on the candidates without a further constraint. */
    final void forEachWhole(Consumer<CandidateFilter> action) {
        for (int i = 0; i < entries.size(); i++) {
            action.accept(entries.get(i).candidateFilter);
        }
    }

    /** Called when the last candidate is removed. */
    void onEmpty() {}

    /** Removes an entry; the last one moves to its position. */
    private void remove(Entry entry) {
        Entry last = entries.remove(entries.size() - 1);
        if (last != entry) {
            entries.set(entry.index, last);
            last.index = entry.index;
        }
        if (isEmpty()) {
            onEmpty();
        }
    }

    private void forgetUnused(String path, PathIndex at) {
        if (at.isEmpty() && narrowed.remove(path, at) && isEmpty()) {
            onEmpty();
        }
    }

    /** The entry of a candidate with a further constraint. */
    private record NarrowedEntry(CandidateBag bag, String path, PathIndex at, CandidateEntry place)
            implements CandidateEntry {

        @Override
        public void remove() {
            place.remove();
            bag.forgetUnused(path, at);
        }
    }

    /** The entry of a candidate, with its position in the bag. */
    private static final class Entry implements CandidateEntry {
        private final CandidateBag bag;
        private final CandidateFilter candidateFilter;
        private int index;

        private Entry(CandidateBag bag, CandidateFilter candidateFilter, int index) {
            this.bag = bag;
            this.candidateFilter = candidateFilter;
            this.index = index;
        }

        @Override
        public void remove() {
            bag.remove(this);
        }
    }
}
