package io.orestes.live;

import io.orestes.live.event.EventId;

/**
 * A snapshot of a live query's result, with the position in the event sequence that it reflects.
 *
 * @param position the position in the event sequence; later events follow the snapshot
 */
record PositionedResult<C>(EventId position, C content) {}
