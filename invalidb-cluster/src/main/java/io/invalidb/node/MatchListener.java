package io.invalidb.node;

import io.invalidb.matching.FailedQuery;
import io.invalidb.model.MatchEvent;
import io.invalidb.query.CellBudget;

/**
 * The listener for changes of the results of subscribed queries and for failures of their filters.
 *
 * <p>The threads of the cells call it: per query and object in commit order, otherwise
 * concurrently. It must be quick, because its cell stands still meanwhile, and must not wait for
 * the cluster. What it throws is logged and not propagated. A query whose subscription fails or
 * ends may still cause events for a moment.
 */
@FunctionalInterface
public interface MatchListener {

    /**
     * A result has changed.
     *
     * @param cellBudget of the cell, for what the listener does before it returns; not to be kept
     */
    void onMatch(MatchEvent event, CellBudget cellBudget);

    /**
     * A query was ended because its filter failed on a write; comes once for a subscription, before
     * the write is answered. It may be subscribed again at once.
     */
    default void onFailure(FailedQuery failed) {}
}
