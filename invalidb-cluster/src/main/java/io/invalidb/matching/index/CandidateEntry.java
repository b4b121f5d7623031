package io.invalidb.matching.index;

import java.util.List;

/** The entry of a candidate filter in an index, by which it can be removed. */
interface CandidateEntry {

    /** Removes the candidate. */
    void remove();

    /** An entry that runs a callback after its candidate is removed. */
    record NotifyingEntry(CandidateEntry entry, Runnable onRemoved) implements CandidateEntry {

        @Override
        public void remove() {
            entry.remove();
            onRemoved.run();
        }
    }

    /**
     * Several entries of one candidate, removed together; possibly none, for a filter that matches
     * nothing.
     */
    record CompositeEntry(List<CandidateEntry> entries) implements CandidateEntry {

        @Override
        public void remove() {
            entries.forEach(CandidateEntry::remove);
        }

        static CandidateEntry of(List<CandidateEntry> places) {
            return places.size() == 1 ? places.get(0) : new CompositeEntry(List.copyOf(places));
        }
    }
}
