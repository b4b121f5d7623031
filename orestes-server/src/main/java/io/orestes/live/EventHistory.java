package io.orestes.live;

import java.util.List;

/**
 * The retained events of one live query about one object, oldest first.
 *
 * @param events the retained events, oldest first
 * @param isAll whether no event of the query has been evicted
 */
record EventHistory(List<LiveEvent> events, boolean isAll) {

    EventHistory {
        events = List.copyOf(events);
    }
}
