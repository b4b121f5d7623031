package io.orestes.bench;

/**
 * One measured figure.
 *
 * @param id what was measured; stays the same from version to version
 * @param value median of the rounds
 * @param unit of the value; {@code ratio} for one side divided by the other
 * @param against what it was measured against, with the absolute figures of this run
 */
record Figure(String id, double value, String unit, Goal goal, String against) {}
