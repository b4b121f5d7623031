package io.invalidb.node;

import io.invalidb.matching.FailedQuery;
import io.invalidb.model.MatchEvent;
import io.invalidb.query.PeriodicStepBudget;

/**
 * The listener for changes of the results of subscribed queries and for failures of their filters.
 *
 * <p>The threads of the cells call it: per query and object in commit order, otherwise
 * concurrently. It must be fast, because it blocks its cell, and must not wait for the cluster. Its
 * exceptions are logged and not propagated. A query whose subscription fails or ends may still
 * cause events for a moment.
 */
@FunctionalInterface
public interface MatchListener {

    /**
     * Called when a result has changed.
     *
     * @param periodicStepBudget budget of the cell for the work of the listener before it returns;
     *     not to be stored
     */
    void onMatch(MatchEvent event, PeriodicStepBudget periodicStepBudget);

    /**
     * Called when a query ended because its filter failed on a write; once for a subscription,
     * before the write is acknowledged. It may be subscribed again immediately.
     */
    default void onFailure(FailedQuery failed) {}
}
