package io.invalidb.grid;

import io.invalidb.matching.QuerySpec;
import io.invalidb.matching.cell.FilterCell;
import io.invalidb.matching.cell.LastWrite;
import io.invalidb.matching.cell.RetentionLimits;
import io.invalidb.model.MatchEvent;
import io.invalidb.model.StreamPosition;
import io.invalidb.model.VersionStamp;
import io.invalidb.model.WriteEvent;
import io.invalidb.query.PeriodicStepBudget;
import io.invalidb.query.sort.SortHorizon;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The grid of cells by query and write partition, each cell run by an executor of its own. The
 * executor is usually a thread. Calls may come from any thread and never wait. A cell executes the
 * calls of one thread in their order.
 */
public final class CellGrid {

    /** Factory of executors that run every cell on a thread of this process. */
    public static final CellExecutor.Factory THREADS = CellThread::new;

    private final GridSize size;
    private final InstantSource clock;
    private final CellListener listener;
    private final RetentionLimits retention;
    private final List<List<CellSlot>> rows = new ArrayList<>();

    private CellGrid(GridSize size, RetentionLimits retention, InstantSource clock, CellListener listener) {
        this.size = size;
        this.retention = retention;
        this.clock = clock;
        this.listener = listener;
    }

    /** Starts the executors of the cells. */
    public static CellGrid start(
            GridSize size,
            RetentionLimits retention,
            InstantSource clock,
            CellListener listener,
            CellExecutor.Factory executors) {
        CellGrid grid = new CellGrid(size, retention, clock, listener);
        for (int query = 0; query < size.queryPartitions(); query++) {
            grid.rows.add(row(query, size.writePartitions(), executors));
        }
        grid.slots().forEach(slot -> grid.start(slot, 0));
        return grid;
    }

    private void start(CellSlot slot, long floor) {
        slot.start(meter -> new FilterCell(retention, floor, listener::onFailure, meter));
    }

    private static List<CellSlot> row(int query, int columns, CellExecutor.Factory executors) {
        List<CellSlot> row = new ArrayList<>();
        for (int write = 0; write < columns; write++) {
            row.add(new CellSlot("invalidb-q" + query + "-w" + write, query, executors));
        }
        return row;
    }

    /** Returns the number of cells. */
    public GridSize size() {
        return size;
    }

    private Stream<CellSlot> slots() {
        return rows.stream().flatMap(List::stream);
    }

    /**
     * Completes when all cells of the object's column have matched the write and the listener has
     * received the events. Sleeping cells may sleep until {@link #wakeColumn}, or until they have
     * another task.
     */
    public CompletableFuture<Void> submitWrite(long sequence, WriteEvent write) {
        int column = size.writePartition(write.id());
        CountdownFuture countdownFuture = new CountdownFuture(rows.size());
        rows.forEach(row -> row.get(column)
                .executor()
                .submitLazily(
                        new QueryChange(countdownFuture, cell -> cell.onWrite(sequence, write, clock.instant()))));
        return countdownFuture.done();
    }

    /**
     * Notes a write on an unwatched bucket in all cells of the object's column, with their next
     * task.
     */
    public void submitUnwatchedWrite(long sequence, WriteEvent write) {
        CellTask note = new WriteNote(sequence, write.bucket(), write.id(), write.stamp());
        int column = size.writePartition(write.id());
        rows.forEach(row -> row.get(column).executor().submitLazily(note));
    }

    /**
     * Returns the latest write of an object that its cells retain; fails if they are replaced
     * meanwhile.
     */
    public CompletableFuture<Optional<LastWrite>> latest(String bucket, String id) {
        LatestWriteQuery look = new LatestWriteQuery(bucket, id);
        rows.get(0).get(size.writePartition(id)).executor().submit(look);
        return look.found;
    }

    /** Wakes up the cells of an object's column. */
    public void wakeColumn(String id) {
        int column = size.writePartition(id);
        rows.forEach(row -> row.get(column).executor().wakeUp());
    }

    /**
     * Completes when all cells of the query's row watch it and the listener has received the
     * changes of the replay. If it fails, some of them may watch it.
     */
    public CompletableFuture<Void> subscribe(QuerySpec query, StreamPosition since, Map<String, VersionStamp> result) {
        List<CellSlot> row = rows.get(size.queryPartition(query.id()));
        List<Map<String, VersionStamp>> shares = shares(result);
        CountdownFuture countdownFuture = new CountdownFuture(row.size());
        for (int column = 0; column < row.size(); column++) {
            Map<String, VersionStamp> share = shares.get(column);
            row.get(column)
                    .executor()
                    .submit(new CellRequest(countdownFuture, cell -> cell.subscribe(query, since, share)));
        }
        return countdownFuture.done();
    }

    private List<Map<String, VersionStamp>> shares(Map<String, VersionStamp> result) {
        List<Map<String, VersionStamp>> shares = Stream.generate(
                        () -> (Map<String, VersionStamp>) new HashMap<String, VersionStamp>())
                .limit(size.writePartitions())
                .toList();
        result.forEach((id, versionStamp) -> shares.get(size.writePartition(id)).put(id, versionStamp));
        return shares;
    }

    /** Completes when no cell watches the query any more. */
    public CompletableFuture<Void> unsubscribe(String queryId) {
        List<CellSlot> row = rows.get(size.queryPartition(queryId));
        CountdownFuture countdownFuture = new CountdownFuture(row.size());
        row.forEach(slot -> slot.executor().submit(new QueryChange(countdownFuture, cell -> {
            cell.unsubscribe(queryId);
            return List.of();
        })));
        return countdownFuture.done();
    }

    /** Drops some objects of the query's result in the cells of its row, with their next task. */
    public void releaseObjects(String queryId, Map<String, VersionStamp> states) {
        List<CellSlot> row = rows.get(size.queryPartition(queryId));
        List<Map<String, VersionStamp>> shares = shares(states);
        for (int column = 0; column < row.size(); column++) {
            Map<String, VersionStamp> share = shares.get(column);
            submitLazily(row.get(column), cell -> cell.releaseObjects(queryId, share));
        }
    }

    /**
     * Sets the horizon in the cells of the query's row, with their next task; they ignore objects
     * that enter behind it.
     */
    public void setHorizon(String queryId, SortHorizon sortHorizon) {
        rows.get(size.queryPartition(queryId))
                .forEach(slot -> submitLazily(slot, cell -> cell.setHorizon(queryId, sortHorizon)));
    }

    private void submitLazily(CellSlot slot, Consumer<FilterCell> work) {
        slot.executor().submitLazily(new QueryChange(new CountdownFuture(1), cell -> {
            work.accept(cell);
            return List.of();
        }));
    }

    /**
     * Completes when every cell has evicted the retained writes that are too old. It is the
     * heartbeat, too: a cell that leaves three of them unanswered is unresponsive.
     */
    public CompletableFuture<Void> tick() {
        List<CellSlot> all = slots().toList();
        CountdownFuture countdownFuture = new CountdownFuture(all.size());
        all.forEach(slot -> slot.sendHeartbeat(new QueryChange(countdownFuture, cell -> {
            slot.acknowledgeHeartbeat();
            cell.onTick(clock.instant());
            return List.of();
        })));
        return countdownFuture.done();
    }

    /**
     * Returns the work of each cell, row by row; a cell that replaced an unresponsive one begins at
     * zero.
     */
    public List<List<CellLoadCounters>> cellCounts() {
        return rows.stream()
                .map(row -> row.stream().map(CellSlot::counts).toList())
                .toList();
    }

    /** Returns the rows with an unresponsive cell. */
    public Set<Integer> unresponsiveRows() {
        return slots().filter(CellSlot::isUnresponsive)
                .map(CellSlot::queryPartition)
                .collect(Collectors.toSet());
    }

    /** Returns whether the row watches the query. */
    public boolean isInRow(int row, String queryId) {
        return size.queryPartition(queryId) == row;
    }

    /**
     * Replaces unresponsive cells by empty ones. Calls that the old cells have not answered are
     * still open. They, and later calls of threads that have not seen the change, end with the
     * returned action; writes end as if they had been matched.
     *
     * @param row one of the rows with an unresponsive cell; all its queries have to be subscribed
     *     again
     * @param position called when no further write will reach the old cells
     * @return to be run when the end of every query of the row has been published
     */
    public Runnable replaceUnresponsive(int row, LongSupplier position) {
        List<CellSlot> silent =
                rows.get(row).stream().filter(CellSlot::isUnresponsive).toList();
        List<CellExecutor> old = silent.stream().map(CellSlot::replaceExecutor).toList();
        long floor = position.getAsLong();
        silent.forEach(slot -> start(slot, floor));
        return () -> old.forEach(CellExecutor::abandon);
    }

    /** A task of a call that waits for several cells. */
    private abstract class CellCall implements CellTask {
        private final CountdownFuture countdownFuture;
        private final Function<FilterCell, List<MatchEvent>> work;
        private final AtomicBoolean answered = new AtomicBoolean();

        private CellCall(CountdownFuture countdownFuture, Function<FilterCell, List<MatchEvent>> work) {
            this.countdownFuture = countdownFuture;
            this.work = work;
        }

        @Override
        public final void run(FilterCell cell) {
            work.apply(cell).forEach(event -> emit(event, cell.budget()));
            if (tryComplete()) {
                countdownFuture.succeeded();
            }
        }

        /** Delivers an event, unless the cell was replaced. */
        private void emit(MatchEvent event, PeriodicStepBudget periodicStepBudget) {
            if (!answered.get()) {
                listener.onMatch(event, periodicStepBudget);
            }
        }

        @Override
        public final void fail(Throwable cause) {
            if (tryComplete()) {
                countdownFuture.failed(cause);
            }
        }

        @Override
        public final void abandon() {
            if (tryComplete()) {
                abandon(countdownFuture);
            }
        }

        private boolean tryComplete() {
            return answered.compareAndSet(false, true);
        }

        abstract void abandon(CountdownFuture waiting);
    }

    /** A change of a query in the cell; without that query there is nothing to wait for. */
    private final class QueryChange extends CellCall {

        private QueryChange(CountdownFuture countdownFuture, Function<FilterCell, List<MatchEvent>> work) {
            super(countdownFuture, work);
        }

        @Override
        void abandon(CountdownFuture waiting) {
            waiting.succeeded();
        }
    }

    /** A task that fails if the cell does not run it. */
    private final class CellRequest extends CellCall {

        private CellRequest(CountdownFuture countdownFuture, Function<FilterCell, List<MatchEvent>> work) {
            super(countdownFuture, work);
        }

        @Override
        void abandon(CountdownFuture waiting) {
            waiting.failed(new UnresponsiveCellException());
        }
    }

    /** A write without its document, which would only use memory. */
    private final class WriteNote implements CellTask {
        private final long sequence;
        private final String bucket;
        private final String id;
        private final VersionStamp versionStamp;

        private WriteNote(long sequence, String bucket, String id, VersionStamp versionStamp) {
            this.sequence = sequence;
            this.bucket = bucket;
            this.id = id;
            this.versionStamp = versionStamp;
        }

        @Override
        public void run(FilterCell cell) {
            cell.onUnwatchedWrite(sequence, bucket, id, versionStamp, clock.instant());
        }

        @Override
        public void fail(Throwable cause) {
            // No caller waits for it, and a stopped cell needs no notes.
        }

        @Override
        public void abandon() {
            // No caller waits for it, and a stopped cell needs no notes.
        }
    }

    /** A read that changes nothing. */
    private static final class LatestWriteQuery implements CellTask {
        private final String bucket;
        private final String id;
        private final CompletableFuture<Optional<LastWrite>> found = new CompletableFuture<>();

        private LatestWriteQuery(String bucket, String id) {
            this.bucket = bucket;
            this.id = id;
        }

        @Override
        public void run(FilterCell cell) {
            found.complete(cell.latest(bucket, id));
        }

        @Override
        public void fail(Throwable cause) {
            found.completeExceptionally(cause);
        }

        @Override
        public void abandon() {
            found.completeExceptionally(new UnresponsiveCellException());
        }
    }

    /** Completes the submitted tasks and ends the executors; later calls fail. */
    public void stop() throws InterruptedException {
        List<CellExecutor> executors = slots().map(CellSlot::executor).toList();
        executors.forEach(CellExecutor::stop);
        for (CellExecutor executor : executors) {
            executor.awaitStop();
        }
    }
}
