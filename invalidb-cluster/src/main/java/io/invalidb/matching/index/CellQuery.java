package io.invalidb.matching.index;

import io.invalidb.matching.QuerySpec;
import io.invalidb.model.MatchType;
import io.invalidb.model.VersionStamp;
import io.invalidb.model.WriteEvent;
import io.invalidb.query.PeriodicStepBudget;
import io.invalidb.query.filter.Filter;
import io.invalidb.query.sort.SortHorizon;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A query in one cell, with the part of its result in this cell. Single-threaded. */
public final class CellQuery extends IndexedFilter {

    private final QuerySpec spec;
    private @Nullable PartialResult partialResult;

    /** @param result stamps of the objects in the result, by id; copied */
    public CellQuery(QuerySpec spec, Map<String, VersionStamp> result) {
        this.spec = spec;
        if (!result.isEmpty()) {
            obtainResult().stamps.putAll(result);
        }
    }

    private PartialResult obtainResult() {
        PartialResult result = partialResult == null ? new PartialResult() : partialResult;
        partialResult = result;
        return result;
    }

    private @Nullable VersionStamp stampOf(String id) {
        return partialResult == null ? null : partialResult.stamps.get(id);
    }

    public QuerySpec spec() {
        return spec;
    }

    /** Returns the ids of the objects in the result. */
    Set<String> ids() {
        return partialResult == null ? Set.of() : partialResult.stamps.keySet();
    }

    @Override
    QueryGroup toGroup() {
        removeFromIndex();
        QueryGroup group = new QueryGroup(filter());
        group.add(this);
        return group;
    }

    @Override
    boolean isUnused() {
        return !isRegistered();
    }

    @Override
    Filter filter() {
        return spec.filter();
    }

    @Override
    void forEachQuery(Consumer<CellQuery> action) {
        action.accept(this);
    }

    @Override
    boolean isNewerThanResult(WriteEvent write) {
        VersionStamp current = stampOf(write.id());
        return current == null || write.stamp().isAfter(current);
    }

    /**
     * Applies the write to the result; empty if that does not change the result, if the result is
     * as new as the write, or if the object enters behind the horizon. Throws exceptions of the
     * filter.
     */
    public Optional<MatchType> apply(WriteEvent write, PeriodicStepBudget periodicStepBudget) {
        return isNewerThanResult(write)
                ? apply(write, matches(write, periodicStepBudget), periodicStepBudget)
                : Optional.empty();
    }

    /** Applies a write that is known to match or not. */
    Optional<MatchType> apply(WriteEvent write, boolean matches, PeriodicStepBudget periodicStepBudget) {
        VersionStamp current = stampOf(write.id());
        if (current == null) {
            return matches && !isBehindHorizon(write, periodicStepBudget)
                    ? Optional.of(addToResult(write))
                    : Optional.empty();
        }
        if (!write.stamp().isAfter(current)) {
            return Optional.empty();
        }
        return Optional.of(matches ? addToResult(write) : removeFromResult(write));
    }

    private MatchType addToResult(WriteEvent write) {
        return obtainResult().stamps.put(write.id(), write.stamp()) == null ? MatchType.ADD : MatchType.CHANGE;
    }

    private MatchType removeFromResult(WriteEvent write) {
        obtainResult().stamps.remove(write.id());
        return MatchType.REMOVE;
    }

    /**
     * Returns whether the object is behind the horizon; false if it cannot be ranked, since the
     * sorting stage will fail on it, too.
     */
    private boolean isBehindHorizon(WriteEvent write, PeriodicStepBudget periodicStepBudget) {
        try {
            return partialResult != null
                    && partialResult.sortHorizon != null
                    && isExcluded(write, partialResult.sortHorizon, periodicStepBudget);
        } catch (RuntimeException | StackOverflowError e) {
            return false;
        }
    }

    private static boolean isExcluded(
            WriteEvent write, SortHorizon sortHorizon, PeriodicStepBudget periodicStepBudget) {
        return write.upsert()
                .filter(upsert -> sortHorizon.excludes(upsert.afterImage(), periodicStepBudget))
                .isPresent();
    }

    /** Sets the horizon; later objects behind it do not enter the result. */
    public void setHorizon(SortHorizon newHorizon) {
        obtainResult().sortHorizon = newHorizon;
    }

    /**
     * Drops the object from the result, unless it has another state by now; returns true if it was
     * dropped.
     */
    boolean releaseObject(String id, VersionStamp versionStamp) {
        return partialResult != null && partialResult.stamps.remove(id, versionStamp);
    }

    private boolean matches(WriteEvent write, PeriodicStepBudget periodicStepBudget) {
        return write.upsert()
                .filter(upsert -> spec.filter().matches(upsert.afterImage(), periodicStepBudget))
                .isPresent();
    }
}
