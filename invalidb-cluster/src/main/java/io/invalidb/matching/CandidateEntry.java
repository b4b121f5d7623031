package io.invalidb.matching;

import java.util.List;

/** Where a candidate is entered in an index. */
interface CandidateEntry {

    /** Takes the candidate out. */
    void leave();

    /** A place, and what is to be done when the candidate has left it. */
    record NotifyingEntry(CandidateEntry place, Runnable after) implements CandidateEntry {

        @Override
        public void leave() {
            place.leave();
            after.run();
        }
    }

    /** Several places at once; perhaps none, for a filter that matches nothing. */
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
