package io.invalidb.node;

import io.invalidb.grid.GridSize;
import io.invalidb.matching.cell.RetentionLimits;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * The configuration of a grid: its partitions, its retention limits and its clock.
 *
 * @param size number of cells; more cells than processor cores only add latency
 * @param retention maximum time for which a write is retained for replay; longer than any query
 *     takes to be executed
 * @param retainedWritesPerCell maximum number of writes that one cell retains, at least 1; cells of
 *     one column share their documents
 * @param retainedBytesPerCell maximum heap of these writes, by estimate; the last write is retained
 *     even if larger
 * @param clock source of the times of retained writes; it must never jump, or a late write may
 *     count as a new one
 */
public record GridOptions(
        GridSize size, Duration retention, int retainedWritesPerCell, long retainedBytesPerCell, InstantSource clock) {

    /** Creates options with the default limit on bytes. */
    public GridOptions(GridSize size, Duration retention, int retainedWritesPerCell, InstantSource clock) {
        this(size, retention, retainedWritesPerCell, RetentionLimits.DEFAULT_BYTES, clock);
    }

    /**
     * Returns a grid of one query partition by as many write partitions as there are processor
     * cores.
     */
    public static GridOptions defaults() {
        return new GridOptions(
                new GridSize(1, Runtime.getRuntime().availableProcessors()),
                Duration.ofMinutes(1),
                20_000,
                monotonic());
    }

    /** Returns a clock that starts at the time of day and ignores later changes of that. */
    private static InstantSource monotonic() {
        Instant begin = Instant.now();
        long beginNanos = System.nanoTime();
        return () -> begin.plusNanos(System.nanoTime() - beginNanos);
    }

    public GridOptions withSize(GridSize other) {
        return new GridOptions(other, retention, retainedWritesPerCell, retainedBytesPerCell, clock);
    }
}
