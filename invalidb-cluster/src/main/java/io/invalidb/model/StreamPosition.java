package io.invalidb.model;

/**
 * A position in the stream of all writes published to one grid since its start.
 *
 * @param sequence number of the last write before it, 0 at the start
 */
public record StreamPosition(long sequence) {}
