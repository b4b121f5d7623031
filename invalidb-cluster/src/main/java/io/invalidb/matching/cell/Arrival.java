package io.invalidb.matching.cell;

import java.time.Instant;

/**
 * The arrival of a write in a cell.
 *
 * @param sequence number of the write in the write stream
 * @param time time of the arrival
 */
record Arrival(long sequence, Instant time) {}
