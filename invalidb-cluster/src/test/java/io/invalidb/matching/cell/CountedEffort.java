package io.invalidb.matching.cell;

import io.invalidb.matching.CellMeter;

/** A meter with the counts of a cell under test. */
final class CountedEffort implements CellMeter {

    private int writes;
    private int candidates;
    private int evaluations;
    private int events;

    record Sum(int writes, int candidates, int evaluations, int events) {}

    @Override
    public void onWrite() {
        writes++;
    }

    @Override
    public void onMatched(int found, int evaluated, int caused) {
        candidates += found;
        evaluations += evaluated;
        events += caused;
    }

    Sum sum() {
        return new Sum(writes, candidates, evaluations, events);
    }
}
