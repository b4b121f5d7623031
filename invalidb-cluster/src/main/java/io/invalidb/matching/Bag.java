package io.invalidb.matching;

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
        return new Narrowed(
                this, narrowed.computeIfAbsent(further.path(), ValuesAt::new).enter(further, candidate));
    }

    final boolean isEmpty() {
        return entries.isEmpty() && narrowed.isEmpty();
    }

    /** Those that the document may match. */
    final void find(BsonDocument document, Consumer<Candidate> action) {
        forEachEntry(action);
        if (!narrowed.isEmpty()) {
            narrowed.values().forEach(at -> at.find(document, action));
        }
    }

    final void forEach(Consumer<Candidate> action) {
        forEachEntry(action);
        narrowed.values().forEach(at -> at.forEach(action));
    }

    private void forEachEntry(Consumer<Candidate> action) {
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

    /** There are few paths: those of the filters that share one value. */
    private void forgetUnusedPaths() {
        if (narrowed.values().removeIf(ValuesAt::isEmpty) && isEmpty()) {
            onEmpty();
        }
    }

    /** One candidate with a further constraint. */
    private record Narrowed(Bag bag, Place place) implements Place {

        @Override
        public void leave() {
            place.leave();
            bag.forgetUnusedPaths();
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
