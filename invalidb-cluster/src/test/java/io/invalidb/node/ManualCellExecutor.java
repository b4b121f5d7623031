package io.invalidb.node;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.invalidb.grid.CellExecutor;
import io.invalidb.grid.CellTask;
import io.invalidb.matching.cell.FilterCell;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * An executor that runs its cell one task at a time, when the test demands it and unless it is
 * blocked.
 */
final class ManualCellExecutor implements CellExecutor {

    private final Deque<CellTask> inbox = new ArrayDeque<>();
    private @Nullable FilterCell cell;
    private boolean stuck;
    private boolean abandoned;
    private boolean stopped;

    @Override
    public void start(FilterCell own) {
        cell = own;
    }

    @Override
    public void submit(CellTask task) {
        if (abandoned) {
            task.abandon();
        } else if (stopped) {
            task.fail(new IllegalStateException("The executor has stopped"));
        } else {
            inbox.add(task);
        }
    }

    @Override
    public void submitLazily(CellTask task) {
        submit(task);
    }

    @Override
    public void wakeUp() {}

    /** Blocks the executor: from now on it accepts tasks and runs none. */
    void stick() {
        stuck = true;
    }

    boolean isStuck() {
        return stuck && !abandoned;
    }

    /** Runs the next task; returns true if there was one that it could run. */
    @CanIgnoreReturnValue
    boolean step() {
        FilterCell own = cell;
        CellTask task = stuck || own == null ? null : inbox.poll();
        if (task == null || own == null) {
            return false;
        }
        run(task, own);
        return true;
    }

    private static void run(CellTask task, FilterCell cell) {
        try {
            task.run(cell);
        } catch (RuntimeException e) {
            task.fail(e);
        }
    }

    @Override
    public void abandon() {
        abandoned = true;
        inbox.forEach(CellTask::abandon);
        inbox.clear();
    }

    @Override
    public void stop() {
        stopped = true;
    }

    @Override
    public void awaitStop() {}
}
