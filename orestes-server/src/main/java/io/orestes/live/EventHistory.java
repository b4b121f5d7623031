package io.orestes.live;

import java.util.List;

/**
 * What a live query told of one object.
 *
 * @param events those that are kept, oldest first
 * @param isAll whether no event of the query has been given up
 */
record EventHistory(List<LiveEvent> events, boolean isAll) {

    EventHistory {
        events = List.copyOf(events);
    }
}
