package io.invalidb.grid;

import io.invalidb.matching.FailedQuery;
import io.invalidb.matching.FilterCell;
import io.invalidb.matching.QuerySpec;
import io.invalidb.matching.Retention;
import io.invalidb.model.MatchEvent;
import io.invalidb.model.Position;
import io.invalidb.model.Stamp;
import io.invalidb.model.WriteEvent;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * All cells in this process, each on a thread of its own. Calls may come from any thread and never wait; what one thread
 * asks of one cell happens in that order.
 */
public final class CellGrid {

    private final GridSize size;
    private final InstantSource clock;
    private final Consumer<MatchEvent> listener;
    private final List<List<CellThread>> rows = new ArrayList<>();

    private CellGrid(GridSize size, InstantSource clock, Consumer<MatchEvent> listener) {
        this.size = size;
        this.clock = clock;
        this.listener = listener;
    }

    /**
     * Starts the threads.
     *
     * @param listener called on them; must neither throw nor wait for the grid
     * @param failures called likewise, perhaps by several cells for one query; those that have not failed still hold it
     */
    public static CellGrid start(
            GridSize size,
            Retention retention,
            InstantSource clock,
            Consumer<MatchEvent> listener,
            Consumer<FailedQuery> failures) {
        CellGrid grid = new CellGrid(size, clock, listener);
        for (int query = 0; query < size.queryPartitions(); query++) {
            grid.rows.add(row(query, size.writePartitions(), () -> new FilterCell(retention, failures)));
        }
        grid.cells().forEach(CellThread::start);
        return grid;
    }

    private static List<CellThread> row(int query, int columns, Supplier<FilterCell> cells) {
        List<CellThread> row = new ArrayList<>();
        for (int write = 0; write < columns; write++) {
            row.add(new CellThread("invalidb-q" + query + "-w" + write, cells.get()));
        }
        return row;
    }

    private Stream<CellThread> cells() {
        return rows.stream().flatMap(List::stream);
    }

    /**
     * Completes when all cells of the object's column have matched the write and the listener knows what came of it. The
     * cells may sleep on until {@link #wake}, or until they have something else to do.
     */
    public CompletableFuture<Void> write(long sequence, WriteEvent write) {
        int column = size.writePartition(write.id());
        Tally tally = new Tally(rows.size());
        rows.forEach(
                row -> row.get(column).leave(new Step(tally, cell -> cell.onWrite(sequence, write, clock.instant()))));
        return tally.done();
    }

    /** Lets all cells of the object's column know of a write that no query asks for, when they next have something to do. */
    public void note(long sequence, WriteEvent write) {
        CellTask note = new Note(sequence, write.bucket(), write.id(), write.stamp());
        int column = size.writePartition(write.id());
        rows.forEach(row -> row.get(column).leave(note));
    }

    /** Wakes the cells of an object's column. */
    public void wake(String id) {
        int column = size.writePartition(id);
        rows.forEach(row -> row.get(column).wake());
    }

    /**
     * Completes when all cells of the query's row watch it and the listener knows what the replay changed. If it fails, some
     * of them may watch it.
     */
    public CompletableFuture<Void> subscribe(QuerySpec query, Position since, Map<String, Stamp> result) {
        List<CellThread> row = rows.get(size.queryPartition(query.id()));
        List<Map<String, Stamp>> shares = shares(result);
        Tally tally = new Tally(row.size());
        for (int column = 0; column < row.size(); column++) {
            Map<String, Stamp> share = shares.get(column);
            row.get(column).hand(new Step(tally, cell -> cell.subscribe(query, since, share)));
        }
        return tally.done();
    }

    private List<Map<String, Stamp>> shares(Map<String, Stamp> result) {
        List<Map<String, Stamp>> shares = Stream.generate(() -> (Map<String, Stamp>) new HashMap<String, Stamp>())
                .limit(size.writePartitions())
                .toList();
        result.forEach((id, stamp) -> shares.get(size.writePartition(id)).put(id, stamp));
        return shares;
    }

    /** Completes when no cell watches the query any more. */
    public CompletableFuture<Void> unsubscribe(String queryId) {
        List<CellThread> row = rows.get(size.queryPartition(queryId));
        Tally tally = new Tally(row.size());
        row.forEach(thread -> thread.hand(new Step(tally, cell -> {
            cell.unsubscribe(queryId);
            return List.of();
        })));
        return tally.done();
    }

    /** Lets the cells of the query's row forget some objects of its result, when they next have something to do. */
    public void forget(String queryId, Map<String, Stamp> states) {
        List<CellThread> row = rows.get(size.queryPartition(queryId));
        List<Map<String, Stamp>> shares = shares(states);
        for (int column = 0; column < row.size(); column++) {
            Map<String, Stamp> share = shares.get(column);
            row.get(column).leave(new Step(new Tally(1), cell -> {
                cell.forget(queryId, share);
                return List.of();
            }));
        }
    }

    /** Completes when every cell has given up the retained writes that are too old. */
    public CompletableFuture<Void> tick() {
        List<CellThread> all = cells().toList();
        Tally tally = new Tally(all.size());
        all.forEach(thread -> thread.hand(new Step(tally, cell -> {
            cell.onTick(clock.instant());
            return List.of();
        })));
        return tally.done();
    }

    /** Work for one of the cells that a call waits for. */
    private final class Step implements CellTask {
        private final Tally tally;
        private final Function<FilterCell, List<MatchEvent>> work;

        private Step(Tally tally, Function<FilterCell, List<MatchEvent>> work) {
            this.tally = tally;
            this.work = work;
        }

        @Override
        public void run(FilterCell cell) {
            work.apply(cell).forEach(listener);
            tally.succeeded();
        }

        @Override
        public void fail(Throwable cause) {
            tally.failed(cause);
        }
    }

    /** A write without its document, which would only take up memory. */
    private final class Note implements CellTask {
        private final long sequence;
        private final String bucket;
        private final String id;
        private final Stamp stamp;

        private Note(long sequence, String bucket, String id, Stamp stamp) {
            this.sequence = sequence;
            this.bucket = bucket;
            this.id = id;
            this.stamp = stamp;
        }

        @Override
        public void run(FilterCell cell) {
            cell.onUnwatchedWrite(sequence, bucket, id, stamp, clock.instant());
        }

        @Override
        public void fail(Throwable cause) {
            // nobody waits for it, and a cell that has stopped needs to know nothing
        }
    }

    /** Finishes what was handed over before and ends the threads; later calls fail. */
    public void stop() throws InterruptedException {
        cells().forEach(CellThread::stop);
        for (CellThread thread : cells().toList()) {
            thread.awaitStop();
        }
    }
}
