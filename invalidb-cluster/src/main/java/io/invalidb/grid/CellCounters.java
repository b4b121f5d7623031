package io.invalidb.grid;

import io.invalidb.matching.CellMeter;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The counters of one cell's work, written by the cell's thread and readable by any thread. An
 * increment takes neither a lock nor an atomic addition, because only the cell's thread counts.
 * Readers observe each count soon.
 */
final class CellCounters implements CellMeter {

    private final AtomicLong writes = new AtomicLong();
    private final AtomicLong evaluations = new AtomicLong();
    private final AtomicLong events = new AtomicLong();

    @Override
    public void onWrite() {
        add(writes, 1);
    }

    @Override
    public void onMatched(int candidates, int evaluated, int caused) {
        add(evaluations, evaluated);
        add(events, caused);
    }

    private static void add(AtomicLong count, int more) {
        count.setOpaque(count.getPlain() + more);
    }

    CellLoadCounters counts() {
        return new CellLoadCounters(writes.getOpaque(), evaluations.getOpaque(), events.getOpaque());
    }
}
