package io.invalidb.matching.cell;

import io.invalidb.matching.CellMeter;
import io.invalidb.matching.FailedQuery;
import io.invalidb.matching.QuerySpec;
import io.invalidb.matching.index.CellQuery;
import io.invalidb.matching.index.MatchOutcome;
import io.invalidb.matching.index.OpenAddressingTable;
import io.invalidb.matching.index.QueryIndex;
import io.invalidb.model.MatchEvent;
import io.invalidb.model.StreamPosition;
import io.invalidb.model.VersionStamp;
import io.invalidb.model.WriteEvent;
import io.invalidb.query.PeriodicStepBudget;
import io.invalidb.query.sort.SortHorizon;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One cell of the matching grid: a partition of the queries, and for those a partition of the
 * written objects (InvaliDB, VLDB 2020, section 5.1).
 *
 * <p>Single-threaded: the owner of the cell makes every call. It has no clock, no I/O and no locks,
 * so equal calls always give equal events. Events on one object are in the order of its stamps: a
 * write that arrives late or twice is dropped as long as the later one is retained or in the
 * result.
 */
public final class FilterCell {

    private final OpenAddressingTable<String, CellQuery> queries =
            OpenAddressingTable.byText(query -> query.spec().id());
    private final Map<String, QueryIndex> indexes = new HashMap<>();
    private final RetainedWrites retained;
    private final PeriodicStepBudget periodicStepBudget = new PeriodicStepBudget();
    private final PeriodicStepBudget estimates = PeriodicStepBudget.forEstimates();
    private final CellMeter meter;
    private final Consumer<FailedQuery> failures;

    /** @param failures receives every query that a write ends, during the call with the write */
    public FilterCell(RetentionLimits retention, Consumer<FailedQuery> failures) {
        this(retention, 0, failures, CellMeter.NONE);
    }

    /**
     * Creates a cell that replaces another one.
     *
     * @param floor the last write that may not have reached this cell
     * @param meter receives every write and its cost
     */
    public FilterCell(RetentionLimits retention, long floor, Consumer<FailedQuery> failures, CellMeter meter) {
        this.meter = meter;
        this.retained = new RetainedWrites(retention, floor);
        this.failures = failures;
    }

    /**
     * Matches a write. A query whose filter throws is removed; the others are not affected.
     *
     * @param sequence its number in the stream of all writes
     * @param now time of arrival; does not decrease from call to call
     * @return the result changes it causes, at most one per query; none for a write that arrives
     *     late or twice
     */
    public List<MatchEvent> onWrite(long sequence, WriteEvent write, Instant now) {
        meter.onWrite();
        QueryIndex index = indexes.get(write.bucket());
        if (!retained.add(sequence, write, now) || index == null) {
            return List.of();
        }
        MatchOutcome outcome = new MatchOutcome(new ArrayList<>(), new ArrayList<>(0));
        index.onWrite(write, outcome);
        outcome.failed().forEach(this::end);
        return outcome.events();
    }

    /**
     * Notes a write on an unwatched bucket. An earlier write that arrives late is then recognised,
     * and a query whose position is before it is refused.
     */
    public void onUnwatchedWrite(long sequence, String bucket, String id, VersionStamp versionStamp, Instant now) {
        retained.addStub(sequence, bucket, id, versionStamp, now);
    }

    /**
     * Returns the latest write of an object of this cell's partition, as long as it is retained.
     */
    public Optional<LastWrite> latest(String bucket, String id) {
        return retained.latest(bucket, id);
    }

    private void end(FailedQuery failed) {
        unsubscribe(failed.query().id());
        failures.accept(failed);
    }

    private void apply(WriteEvent write, CellQuery query, List<MatchEvent> events) {
        query.apply(write, periodicStepBudget)
                .ifPresent(type -> events.add(new MatchEvent(query.spec().id(), type, write)));
    }

    /**
     * Starts to watch a query; does nothing if it is watched already.
     *
     * @param since position of the write stream before the query was executed
     * @param share the objects of its result that belong to this cell
     * @return the changes of that result by retained writes after the position, at most one event
     *     per object
     * @throws RetentionExceededException if writes after the position are no longer retained
     * @throws RuntimeException of the filter on one of those writes; the query is not watched then
     */
    public List<MatchEvent> subscribe(QuerySpec spec, StreamPosition since, Map<String, VersionStamp> share) {
        if (queries.get(spec.id()) != null) {
            return List.of();
        }
        List<WriteEvent> missed =
                retained.latestSince(since, spec.bucket()).orElseThrow(() -> new RetentionExceededException(spec.id()));
        CellQuery query = new CellQuery(spec, share);
        List<MatchEvent> events = new ArrayList<>();
        missed.forEach(write -> apply(write, query, events));
        queries.put(query);
        indexes.computeIfAbsent(spec.bucket(), bucket -> new QueryIndex(periodicStepBudget, estimates, meter))
                .add(query);
        return events;
    }

    /**
     * Drops some objects from a query's result. Their later writes are published as additions, and
     * not at all if they do not match. An object whose state differs from the given one is
     * retained.
     */
    public void releaseObjects(String queryId, Map<String, VersionStamp> states) {
        CellQuery query = queries.get(queryId);
        QueryIndex index = query == null ? null : indexes.get(query.spec().bucket());
        if (query != null && index != null) {
            states.forEach((id, versionStamp) -> index.releaseObject(query, id, versionStamp));
        }
    }

    /**
     * Sets the horizon of a query. Objects that enter the result behind it are no longer published.
     * Objects already in the result are published wherever they move. A write that is not published
     * is not recorded, as if it did not match.
     */
    public void setHorizon(String queryId, SortHorizon sortHorizon) {
        CellQuery query = queries.get(queryId);
        if (query != null) {
            query.setHorizon(sortHorizon);
        }
    }

    /** Returns the budget of later stages for an event of this cell; for calls on its thread. */
    public PeriodicStepBudget budget() {
        return periodicStepBudget;
    }

    /**
     * Advances the time; to be called every few seconds. Retained writes that are too old are
     * evicted, which otherwise happens only with the next write, and the budget of costly filters
     * is renewed.
     */
    public void onTick(Instant now) {
        periodicStepBudget.renew();
        estimates.renew();
        retained.evict(now);
    }

    /** Removes a query; does nothing if it is not watched. */
    public void unsubscribe(String queryId) {
        CellQuery query = queries.remove(queryId);
        if (query != null) {
            indexes.computeIfPresent(query.spec().bucket(), (bucket, index) -> without(query, index));
        }
    }

    private static @Nullable QueryIndex without(CellQuery query, QueryIndex index) {
        index.remove(query);
        return index.isEmpty() ? null : index;
    }
}
