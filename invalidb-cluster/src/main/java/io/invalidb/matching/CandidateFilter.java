package io.invalidb.matching;

import io.invalidb.model.WriteEvent;
import io.invalidb.query.Filter;
import java.util.Optional;
import java.util.function.Consumer;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * A filter that an index finds and that is evaluated once for all queries that share it. It is a
 * single {@link CellQuery} or a {@link QueryGroup}. There may be a million of them, so every field
 * adds memory. Single-threaded.
 */
abstract class CandidateFilter {

    /**
     * Number of futile evaluations after which the index entry is chosen by observed selectivity.
     */
    private static final short FIRST_PATIENCE = 16;

    private static final short LATER_PATIENCE = 8_192;

    private @Nullable CandidateEntry candidateEntry;
    private @Nullable IntervalPrefilter intervalPrefilter;
    private short patience = FIRST_PATIENCE;
    private boolean found;

    abstract Filter filter();

    abstract void forEachQuery(Consumer<CellQuery> action);

    /** Returns whether the write is later than the state of its object in one of the queries. */
    abstract boolean isNews(WriteEvent write);

    /** Stores the entry of the filter, which must have none yet. */
    void enteredAt(CandidateEntry newPlace) {
        candidateEntry = newPlace;
    }

    Optional<CandidateEntry> place() {
        return Optional.ofNullable(candidateEntry);
    }

    /** Sets the prefilter that {@link #mayMatch} tests. */
    void guardedBy(Optional<IntervalPrefilter> newGuard) {
        intervalPrefilter = newGuard.orElse(null);
    }

    /**
     * Returns whether the document may match, without evaluating the filter. The number identifies
     * the document.
     */
    boolean mayMatch(long number, BsonDocument document) {
        return intervalPrefilter == null || intervalPrefilter.lets(number, document);
    }

    /** Removes the filter from its index entry. */
    void leave() {
        if (candidateEntry != null) {
            candidateEntry.leave();
            candidateEntry = null;
        }
    }

    /**
     * Counts an evaluation without a match; returns true after so many that another entry may be
     * better.
     */
    boolean wasInVain() {
        patience = (short) Math.max(0, patience - 1);
        return patience == 0;
    }

    /** Raises the limit of futile evaluations, since there may be no better entry. */
    void chosenAnew() {
        patience = LATER_PATIENCE;
    }

    boolean isImpatient() {
        return patience == 0;
    }

    /** Returns whether this is the first time it is found since {@link #forgetFound}. */
    boolean find() {
        boolean first = !found;
        found = true;
        return first;
    }

    void forgetFound() {
        found = false;
    }
}
