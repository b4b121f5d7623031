package io.invalidb.matching;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Candidates in no order. Adding and removing take constant time. Single-threaded. */
class Bag {

    private final List<Entry> entries = new ArrayList<>(1);

    final Place add(Candidate candidate) {
        Entry entry = new Entry(this, candidate, entries.size());
        entries.add(entry);
        return entry;
    }

    final boolean isEmpty() {
        return entries.isEmpty();
    }

    final void forEach(Consumer<Candidate> action) {
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
        if (entries.isEmpty()) {
            onEmpty();
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
