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
 * counts. Single-threaded.
 */
abstract class CandidateFilter {

    /** So often it may be evaluated in vain before its place is chosen by what was observed. */
    private static final short FIRST_PATIENCE = 16;

    private static final short LATER_PATIENCE = 8_192;

    private @Nullable CandidateEntry candidateEntry;
    private @Nullable IntervalPrefilter intervalPrefilter;
    private short patience = FIRST_PATIENCE;
    private boolean found;

    abstract Filter filter();

    abstract void forEachQuery(Consumer<CellQuery> action);

    /** Whether the write is later than the state that some of its queries holds. */
    abstract boolean isNews(WriteEvent write);

    /** Remembers where it is entered, which must be nowhere yet. */
    void enteredAt(CandidateEntry newPlace) {
        candidateEntry = newPlace;
    }

    Optional<CandidateEntry> place() {
        return Optional.ofNullable(candidateEntry);
    }

    /** Makes {@link #mayMatch} ask this. */
    void guardedBy(Optional<IntervalPrefilter> newGuard) {
        intervalPrefilter = newGuard.orElse(null);
    }

    /**
     * Whether the document may match, as far as can be told without the filter; numbers tell
     * documents apart.
     */
    boolean mayMatch(long number, BsonDocument document) {
        return intervalPrefilter == null || intervalPrefilter.lets(number, document);
    }

    /** Takes it out of where it is entered. */
    void leave() {
        if (candidateEntry != null) {
            candidateEntry.leave();
            candidateEntry = null;
        }
    }

    /**
     * Counts an evaluation that matched nothing; says whether there were so many that another place
     * may be better.
     */
    boolean wasInVain() {
        patience = (short) Math.max(0, patience - 1);
        return patience == 0;
    }

    /** Waits longer from now on, since there may be no better place. */
    void chosenAnew() {
        patience = LATER_PATIENCE;
    }

    boolean isImpatient() {
        return patience == 0;
    }

    /** Says whether this is the first time it is found since {@link #forgetFound}. */
    boolean find() {
        boolean first = !found;
        found = true;
        return first;
    }

    void forgetFound() {
        found = false;
    }
}
