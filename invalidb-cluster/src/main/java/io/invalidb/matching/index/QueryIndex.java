package io.invalidb.matching.index;

import io.invalidb.matching.CellMeter;
import io.invalidb.matching.FailedQuery;
import io.invalidb.matching.selectivity.AccessPredicate;
import io.invalidb.matching.selectivity.DocumentSample;
import io.invalidb.matching.selectivity.Interval;
import io.invalidb.model.MatchEvent;
import io.invalidb.model.MatchType;
import io.invalidb.model.VersionStamp;
import io.invalidb.model.WriteEvent;
import io.invalidb.query.PeriodicStepBudget;
import io.invalidb.query.filter.Filter;
import io.invalidb.query.filter.PathConstraint;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * The index of the live queries on one bucket, which finds the candidate filters for a write. Three
 * kinds of filters are candidates: those whose {@link AccessPredicate} the after-image satisfies,
 * those whose result contains the object, and those without any access predicate. Each candidate is
 * evaluated once. A filter with many futile evaluations is entered again, with the current
 * statistics of the {@link DocumentSample}. Single-threaded.
 */
public final class QueryIndex {

    /**
     * Number of evaluations on one write for each filter that the write causes to be entered again,
     * which takes as long.
     */
    private static final int EVALUATIONS_PER_MOVE = 16;

    private static final int MIN_MOVES = 4;
    private static final int MAX_PREFILTER_PATHS = 1_000;

    private final OpenAddressingTable<Filter, IndexedFilter> candidates =
            new OpenAddressingTable<>(IndexedFilter::filter, Filter::hashCode);
    private final Map<String, PathIndex> paths = new HashMap<>();
    private final Map<String, DocumentKeyRange> guarded = new HashMap<>();
    private final CandidateBag others = new CandidateBag();
    private final Map<String, Set<CellQuery>> holders = new HashMap<>();
    private final DocumentSample documentSample;

    /** Candidates found for the current write. */
    private final List<IndexedFilter> found = new ArrayList<>();

    private final Consumer<IndexedFilter> finder = this::find;
    private final PeriodicStepBudget periodicStepBudget;
    private final CellMeter meter;

    private int removals;
    private long writes;

    /** Number of evaluations on the current write. */
    private int evaluations;

    /**
     * Creates an index without queries.
     *
     * @param periodicStepBudget budget for evaluating filters
     * @param estimates budget for choosing access predicates
     * @param meter meter of the cell
     */
    public QueryIndex(PeriodicStepBudget periodicStepBudget, PeriodicStepBudget estimates, CellMeter meter) {
        this.periodicStepBudget = periodicStepBudget;
        this.meter = meter;
        this.documentSample = new DocumentSample(estimates);
    }

    public void add(CellQuery query) {
        IndexedFilter same = candidates.get(query.filter());
        if (same == null) {
            candidates.put(query);
            insert(query);
        } else {
            group(same).add(query);
        }
        query.ids().forEach(id -> addHolder(id, query));
    }

    /** Returns the group of a candidate, which replaces it if it is a single query. */
    private QueryGroup group(IndexedFilter indexedFilter) {
        QueryGroup group = indexedFilter.toGroup();
        if (!group.isRegistered()) {
            candidates.put(group);
            insert(group);
        }
        return group;
    }

    /**
     * Enters a filter by one constraint. A second one is worth its memory only in a crowd, and most
     * filters never meet one.
     */
    private void insert(IndexedFilter indexedFilter) {
        insert(indexedFilter, 1);
    }

    /** Enters a filter by the constraints that are best in an index of that many filters. */
    private void insert(IndexedFilter indexedFilter, int filters) {
        AccessPredicate accessPredicate = AccessPredicate.of(
                        indexedFilter.filter().necessaryCondition(), documentSample, filters)
                .orElse(null);
        if (accessPredicate == null) {
            indexedFilter.setRegistration(others.add(indexedFilter));
            indexedFilter.setPrefilter(null);
        } else {
            indexedFilter.setRegistration(insert(accessPredicate, indexedFilter));
            indexedFilter.setPrefilter(prefilter(accessPredicate));
        }
    }

    private CandidateRegistration insert(AccessPredicate accessPredicate, IndexedFilter indexedFilter) {
        if (accessPredicate.anyOf().size() == 1) {
            PathConstraint only = accessPredicate.anyOf().get(0);
            return at(only).addSole(only, indexedFilter, accessPredicate.further());
        }
        return CandidateRegistration.CompositeRegistration.of(accessPredicate.anyOf().stream()
                .map(constraint -> at(constraint).add(constraint, indexedFilter, accessPredicate.further()))
                .toList());
    }

    /**
     * Returns the prefilter of an access predicate, if it has one. Only a limited number of paths
     * have prefilters, and unused paths count, too.
     */
    private @Nullable IntervalPrefilter prefilter(AccessPredicate accessPredicate) {
        PathConstraint.Range range = accessPredicate.prefilter();
        if (range == null || (guarded.size() >= MAX_PREFILTER_PATHS && !guarded.containsKey(range.path()))) {
            return null;
        }
        return IntervalPrefilter.of(keysAt(range.path()), Interval.of(range));
    }

    private DocumentKeyRange keysAt(String path) {
        return guarded.computeIfAbsent(path, same -> new DocumentKeyRange(same, periodicStepBudget));
    }

    private PathIndex at(PathConstraint constraint) {
        return paths.computeIfAbsent(constraint.path(), PathIndex::new);
    }

    public void remove(CellQuery query) {
        query.ids().forEach(id -> removeHolder(id, query));
        IndexedFilter indexedFilter = query.candidate();
        query.removeFromIndex();
        if (indexedFilter.isUnused()) {
            indexedFilter.removeFromIndex();
            var unused = candidates.remove(query.filter());
            removeUnusedPaths();
        }
    }

    /** Removes unused paths, so rarely that the scan takes constant time for each removal. */
    private void removeUnusedPaths() {
        if (++removals >= paths.size()) {
            paths.values().removeIf(PathIndex::isEmpty);
            removals = 0;
        }
    }

    /** Drops a state from the query's result, if it is the current one. */
    public void releaseObject(CellQuery query, String id, VersionStamp versionStamp) {
        if (query.releaseObject(id, versionStamp)) {
            removeHolder(id, query);
        }
    }

    public boolean isEmpty() {
        return candidates.isEmpty();
    }

    /** Matches a write; a filter that throws fails its queries, which the caller removes. */
    public void onWrite(WriteEvent write, MatchOutcome outcome) {
        BsonDocument afterImage =
                write.upsert().map(WriteEvent.Upsert::afterImage).orElse(null);
        findAll(write, afterImage);
        evaluations = 0;
        boolean someAreImpatient = false;
        for (int i = 0; i < found.size(); i++) {
            someAreImpatient |= apply(write, afterImage, found.get(i), outcome);
        }
        meter.onMatched(found.size(), evaluations, outcome.events().size());
        if (someAreImpatient) {
            reindex();
        }
        found.forEach(IndexedFilter::resetVisited);
        found.clear();
    }

    private void findAll(WriteEvent write, @Nullable BsonDocument afterImage) {
        writes++;
        holders.getOrDefault(write.id(), Set.of()).forEach(query -> find(query.candidate()));
        if (afterImage != null) {
            documentSample.offer(afterImage);
            paths.values().forEach(at -> at.find(afterImage, finder, periodicStepBudget));
            others.forEach(finder);
        }
    }

    private void find(IndexedFilter indexedFilter) {
        if (indexedFilter.tryVisit()) {
            found.add(indexedFilter);
        }
    }

    /** Applies a write to a candidate; returns true after too many futile evaluations. */
    private boolean apply(
            WriteEvent write, @Nullable BsonDocument afterImage, IndexedFilter indexedFilter, MatchOutcome outcome) {
        if (!indexedFilter.isNewerThanResult(write)) {
            return false;
        }
        try {
            boolean matches = afterImage != null && matches(indexedFilter, afterImage);
            indexedFilter.forEachQuery(query -> apply(write, query, matches, outcome));
            return !matches && indexedFilter.recordFutileEvaluation();
        } catch (RuntimeException | StackOverflowError e) {
            indexedFilter.forEachQuery(query -> outcome.failed().add(new FailedQuery(query.spec(), e)));
            return false;
        }
    }

    private boolean matches(IndexedFilter indexedFilter, BsonDocument afterImage) {
        if (!indexedFilter.mayMatch(writes, afterImage)) {
            return false;
        }
        evaluations++;
        return indexedFilter.filter().matches(afterImage, periodicStepBudget);
    }

    private void apply(WriteEvent write, CellQuery query, boolean matches, MatchOutcome outcome) {
        query.apply(write, matches, periodicStepBudget).ifPresent(type -> {
            if (type == MatchType.ADD) {
                addHolder(write.id(), query);
            } else if (type == MatchType.REMOVE) {
                removeHolder(write.id(), query);
            }
            outcome.events().add(new MatchEvent(query.spec().id(), type, write));
        });
    }

    /**
     * Enters futile candidates again; those beyond the limit wait for the next write that finds
     * them.
     */
    private void reindex() {
        int moves = Math.max(MIN_MOVES, found.size() / EVALUATIONS_PER_MOVE);
        for (int i = 0; i < found.size() && moves > 0; i++) {
            IndexedFilter indexedFilter = found.get(i);
            if (indexedFilter.isDueForReindexing()) {
                indexedFilter.removeFromIndex();
                insert(indexedFilter, candidates.size());
                indexedFilter.resetFutility();
                removeUnusedPaths();
                moves--;
            }
        }
    }

    private void addHolder(String id, CellQuery query) {
        holders.computeIfAbsent(id, unused -> new LinkedHashSet<>(2)).add(query);
    }

    private void removeHolder(String id, CellQuery query) {
        holders.computeIfPresent(id, (unused, queries) -> queries.remove(query) && queries.isEmpty() ? null : queries);
    }
}
