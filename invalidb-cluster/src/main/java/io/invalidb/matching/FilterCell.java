package io.invalidb.matching;

import io.invalidb.model.MatchEvent;
import io.invalidb.model.StreamPosition;
import io.invalidb.model.VersionStamp;
import io.invalidb.model.WriteEvent;
import io.invalidb.query.CellBudget;
import io.invalidb.query.SortHorizon;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One cell of the matching grid: a share of the queries, and for those a share of the written
 * objects (InvaliDB, VLDB 2020, section 5.1).
 *
 * <p>Single-threaded: who owns the cell makes every call. Holds no clock, no I/O and no locks, so
 * the same calls always
 * give the same events. Events on one object are in the order of its stamps: a write that arrives
 * late or twice is dropped as long as the later one is retained or in the result.
 */
public final class FilterCell {

    private final OpenAddressingTable<String, CellQuery> queries =
            OpenAddressingTable.byText(query -> query.spec().id());
    private final Map<String, QueryIndex> indexes = new HashMap<>();
    private final RetainedWrites retained;
    private final CellBudget cellBudget = new CellBudget();
    private final CellBudget estimates = CellBudget.forEstimates();
    private final CellMeter meter;
    private final Consumer<FailedQuery> failures;

    /**
     * @param failures told of every query that a write ends, during the call that brings the write
     */
    public FilterCell(Retention retention, Consumer<FailedQuery> failures) {
        this(retention, 0, failures, CellMeter.NONE);
    }

    /**
     * A cell that takes the place of another one.
     *
     * @param floor the last write that may not have reached this cell
     * @param meter told of every write and what it took
     */
    public FilterCell(Retention retention, long floor, Consumer<FailedQuery> failures, CellMeter meter) {
        this.meter = meter;
        this.retained = new RetainedWrites(retention, floor);
        this.failures = failures;
    }

    /**
     * Matches a write. A query whose filter throws is forgotten; the others do not suffer from it.
     *
     * @param sequence its number in the stream of all writes
     * @param now when it arrived here; does not decrease from call to call
     * @return the result changes it causes, at most one per query; none for a write that arrives
     *     late or twice
     */
    public List<MatchEvent> onWrite(long sequence, WriteEvent write, Instant now) {
        meter.reached();
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
     * Takes note of a write that no query asks for: an earlier one that comes late is recognised,
     * and a query whose position is before it is refused.
     */
    public void onUnwatchedWrite(long sequence, String bucket, String id, VersionStamp versionStamp, Instant now) {
        retained.note(sequence, bucket, id, versionStamp, now);
    }

    /** The latest write of an object of this cell's share, as long as it is retained. */
    public Optional<LastWrite> latest(String bucket, String id) {
        return retained.latest(bucket, id);
    }

    private void end(FailedQuery failed) {
        unsubscribe(failed.query().id());
        failures.accept(failed);
    }

    private void apply(WriteEvent write, CellQuery query, List<MatchEvent> events) {
        query.apply(write, cellBudget)
                .ifPresent(type -> events.add(new MatchEvent(query.spec().id(), type, write)));
    }

    /**
     * Starts to watch a query; does nothing if it is watched already.
     *
     * @param since where the write stream stood before the query was executed
     * @param share the objects of its result that belong to this cell
     * @return what the retained writes after the position change in that result, at most one event
     *     per object
     * @throws RetentionExceededException if writes after the position are no longer retained
     * @throws RuntimeException what the filter throws on one of those writes; the query is not
     *     watched then
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
        indexes.computeIfAbsent(spec.bucket(), bucket -> new QueryIndex(cellBudget, estimates, meter))
                .add(query);
        return events;
    }

    /**
     * Forgets that some objects are in a query's result, whose later writes are told as if they
     * entered it, and not at all if they do not match. An object that has another state by now than
     * the one given is kept.
     */
    public void forget(String queryId, Map<String, VersionStamp> states) {
        CellQuery query = queries.get(queryId);
        QueryIndex index = query == null ? null : indexes.get(query.spec().bucket());
        if (query != null && index != null) {
            states.forEach((id, versionStamp) -> index.forget(query, id, versionStamp));
        }
    }

    /**
     * Stops to tell of objects that come into a query's result behind its horizon; of those that it
     * remembers it tells whatever becomes of them. A write that is not told is not remembered, as
     * if it did not match.
     */
    public void ignoreBehind(String queryId, SortHorizon sortHorizon) {
        CellQuery query = queries.get(queryId);
        if (query != null) {
            query.ignoreBehind(sortHorizon);
        }
    }

    /** What later stages take for an event of this cell; for calls on its thread. */
    public CellBudget allowance() {
        return cellBudget;
    }

    /**
     * Lets time pass; to be called every few seconds. Retained writes that are too old are given
     * up, which otherwise happens only with the next write, and costly filters may be evaluated
     * again.
     */
    public void onTick(Instant now) {
        cellBudget.renew();
        estimates.renew();
        retained.evict(now);
    }

    /** Forgets a query; does nothing if it is not watched. */
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
