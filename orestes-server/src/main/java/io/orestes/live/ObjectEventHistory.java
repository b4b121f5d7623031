package io.orestes.live;

import io.orestes.live.event.LiveEvent;
import java.util.List;

/**
 * The retained events of one live query about one object, oldest first.
 *
 * @param events the retained events, oldest first
 * @param isComplete whether no event of the query has been evicted
 */
record ObjectEventHistory(List<LiveEvent> events, boolean isComplete) {

    ObjectEventHistory {
        events = List.copyOf(events);
    }
}
