package io.invalidb.matching;

import java.util.List;

/** Where a candidate is entered in an index. */
interface Place {

    /** Takes the candidate out. */
    void leave();

    /** A place, and what is to be done when the candidate has left it. */
    record Followed(Place place, Runnable after) implements Place {

        @Override
        public void leave() {
            place.leave();
            after.run();
        }
    }

    /** Several places at once; perhaps none, for a filter that matches nothing. */
    record Several(List<Place> places) implements Place {

        @Override
        public void leave() {
            places.forEach(Place::leave);
        }

        static Place of(List<Place> places) {
            return places.size() == 1 ? places.get(0) : new Several(List.copyOf(places));
        }
    }
}
