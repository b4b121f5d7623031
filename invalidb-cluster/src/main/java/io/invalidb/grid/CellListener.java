package io.invalidb.grid;

import io.invalidb.matching.FailedQuery;
import io.invalidb.model.MatchEvent;
import io.invalidb.query.PeriodicStepBudget;

/**
 * A listener for the match events and the failed queries of all cells of a grid. The executors of
 * the cells call it. It must neither throw nor wait for the grid.
 */
public interface CellListener {

    /**
     * Called when a result has changed.
     *
     * @param periodicStepBudget budget of the cell
     */
    void onMatch(MatchEvent event, PeriodicStepBudget periodicStepBudget);

    /**
     * Called when the filter of a query failed in a cell, perhaps by several cells for one query;
     * the other cells still watch it.
     */
    void onFailure(FailedQuery failed);
}
