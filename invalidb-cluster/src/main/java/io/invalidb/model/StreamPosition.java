package io.invalidb.model;

/**
 * A place in the stream of all writes that were handed to one grid since it started.
 *
 * @param sequence number of the last write before it, 0 at the start
 */
public record StreamPosition(long sequence) {}
