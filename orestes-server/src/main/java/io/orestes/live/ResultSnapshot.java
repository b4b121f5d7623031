package io.orestes.live;

/**
 * A snapshot of a live query's result, with the position in the event sequence that it reflects.
 *
 * @param place the events after it are told later
 */
record ResultSnapshot<C>(EventId place, C content) {}
