package io.orestes.bench.harness;

/**
 * One measured figure.
 *
 * @param id of the measurement; stable across versions
 * @param value median of the rounds
 * @param unit of the value; {@code ratio} for one side divided by the other
 * @param against the baseline, with the absolute figures of this run
 */
public record Figure(String id, double value, String unit, Goal goal, String against) {}
