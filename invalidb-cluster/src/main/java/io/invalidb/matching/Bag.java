package io.invalidb.matching;

import io.invalidb.query.Allowance;
import io.invalidb.query.PathConstraint;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.bson.BsonDocument;

/**
 * Candidates in no order, or with a further constraint by which a document finds them among the others. Adding and removing
 * one without takes constant time. Single-threaded.
 */
class Bag {

    private final List<Entry> entries = new ArrayList<>(1);

    /** Those with a further constraint, by its path. */
    private Map<String, ValuesAt> narrowed = Map.of();

    final Place add(Candidate candidate) {
        Entry entry = new Entry(this, candidate, entries.size());
        entries.add(entry);
        return entry;
    }

    final Place add(Candidate candidate, Optional<PathConstraint> further) {
        return further.map(constraint -> add(candidate, constraint)).orElseGet(() -> add(candidate));
    }

    private Place add(Candidate candidate, PathConstraint further) {
        if (narrowed.isEmpty()) {
            narrowed = new HashMap<>(2);
        }
        ValuesAt at = narrowed.computeIfAbsent(further.path(), ValuesAt::new);
        return new Narrowed(this, further.path(), at, at.enterAlone(further, candidate, Optional.empty()));
    }

    final boolean isEmpty() {
        return entries.isEmpty() && narrowed.isEmpty();
    }

    /** Whether there are candidates with a further constraint. */
    final boolean isDivided() {
        return !narrowed.isEmpty();
    }

    /** Those of them that the document may match. */
    final void findNarrowed(BsonDocument document, Consumer<Candidate> action, Allowance allowance) {
        narrowed.values().forEach(at -> at.find(document, action, allowance));
    }

    final void forEach(Consumer<Candidate> action) {
        forEachWhole(action);
        narrowed.values().forEach(at -> at.forEach(action));
    }

    /** Those without a further constraint. */
    final void forEachWhole(Consumer<Candidate> action) {
        for (int i = 0; i < entries.size(); i++) {
            action.accept(entries.get(i).candidate);
        }
    }

    /** Called when the last candidate has left. */
    void onEmpty() {}

    /** The last one takes the place. */
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

    private void forgetUnused(String path, ValuesAt at) {
        if (at.isEmpty() && narrowed.remove(path, at) && isEmpty()) {
            onEmpty();
        }
    }

    /** One candidate with a further constraint. */
    private record Narrowed(Bag bag, String path, ValuesAt at, Place place) implements Place {

        @Override
        public void leave() {
            place.leave();
            bag.forgetUnused(path, at);
        }
    }

    /** One candidate, which knows where in the bag it is. */
    private static final class Entry implements Place {
        private final Bag bag;
        private final Candidate candidate;
        private int index;

        private Entry(Bag bag, Candidate candidate, int index) {
            this.bag = bag;
            this.candidate = candidate;
            this.index = index;
        }

        @Override
        public void leave() {
            bag.remove(this);
        }
    }
}
