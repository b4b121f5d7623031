package io.invalidb.matching;

import java.util.List;

/** The entry of a candidate filter in an index, by which it can be removed. */
interface CandidateEntry {

    /** Removes the candidate. */
    void leave();

    /** An entry that runs a callback after its candidate is removed. */
    record NotifyingEntry(CandidateEntry place, Runnable after) implements CandidateEntry {

        @Override
        public void leave() {
            place.leave();
            after.run();
        }
    }

    /**
     * Several entries of one candidate, removed together; possibly none, for a filter that matches
     * nothing.
     */
    record CompositeEntry(List<CandidateEntry> places) implements CandidateEntry {

        @Override
        public void leave() {
            places.forEach(CandidateEntry::leave);
        }

        static CandidateEntry of(List<CandidateEntry> places) {
            return places.size() == 1 ? places.get(0) : new CompositeEntry(List.copyOf(places));
        }
    }
}
