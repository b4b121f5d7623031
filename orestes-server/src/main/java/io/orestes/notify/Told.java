package io.orestes.notify;

/**
 * What a subscriber is told first.
 *
 * @param place the events after it are told later
 */
record Told<C>(EventId place, C content) {}
