package io.invalidb.matching.index;

import io.invalidb.model.WriteEvent;
import io.invalidb.query.filter.Filter;
import java.util.function.Consumer;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * A filter that an index finds and that is evaluated once for all queries that share it. It is a
 * single {@link CellQuery} or a {@link QueryGroup}. There may be a million of them, so every field
 * adds memory. Single-threaded.
 */
abstract class IndexedFilter {

    /**
     * Number of futile evaluations after which the registration is chosen by observed selectivity.
     */
    private static final short INITIAL_FUTILE_EVALUATION_LIMIT = 16;

    private static final short LATER_FUTILE_EVALUATION_LIMIT = 8_192;

    private @Nullable CandidateRegistration registration;
    private @Nullable IntervalPrefilter intervalPrefilter;
    private short remainingFutileEvaluations = INITIAL_FUTILE_EVALUATION_LIMIT;
    private boolean visited;

    abstract Filter filter();

    abstract void forEachQuery(Consumer<CellQuery> action);

    /** Returns whether the write is later than the state of its object in one of the queries. */
    abstract boolean isNewerThanResult(WriteEvent write);

    /** Stores the registration of the filter, which must have none yet. */
    void setRegistration(CandidateRegistration newRegistration) {
        registration = newRegistration;
    }

    /** Returns whether the filter has a registration. */
    final boolean isRegistered() {
        return registration != null;
    }

    /** Returns the candidate by which the index finds the filter: itself, or its group. */
    final IndexedFilter candidate() {
        return registration == null ? this : registration.candidateFor(this);
    }

    /**
     * Returns a group of the queries. A single query leaves the index for a new group, which the
     * caller registers.
     */
    abstract QueryGroup toGroup();

    /** Returns whether none of its queries is left in the index. */
    abstract boolean isUnused();

    /** Sets the prefilter that {@link #mayMatch} tests; null if there is none. */
    void setPrefilter(@Nullable IntervalPrefilter prefilter) {
        intervalPrefilter = prefilter;
    }

    /**
     * Returns whether the document may match, without evaluating the filter. The number identifies
     * the document.
     */
    boolean mayMatch(long number, BsonDocument document) {
        return intervalPrefilter == null || intervalPrefilter.mayMatch(number, document);
    }

    /** Removes the filter from the index. */
    void removeFromIndex() {
        if (registration != null) {
            registration.remove();
            registration = null;
        }
    }

    /**
     * Counts an evaluation without a match; returns true after so many that another registration
     * may be better.
     */
    boolean recordFutileEvaluation() {
        remainingFutileEvaluations = (short) Math.max(0, remainingFutileEvaluations - 1);
        return remainingFutileEvaluations == 0;
    }

    /** Raises the limit of futile evaluations, since there may be no better registration. */
    void resetFutility() {
        remainingFutileEvaluations = LATER_FUTILE_EVALUATION_LIMIT;
    }

    boolean isDueForReindexing() {
        return remainingFutileEvaluations == 0;
    }

    /** Returns whether this is the first time it is found since {@link #resetVisited}. */
    boolean tryVisit() {
        boolean first = !visited;
        visited = true;
        return first;
    }

    void resetVisited() {
        visited = false;
    }
}
