package io.orestes.live;

/**
 * What a subscriber is told first.
 *
 * @param place the events after it are told later
 */
record ResultSnapshot<C>(EventId place, C content) {}
