package io.invalidb.query.sort;

import io.invalidb.query.BudgetExceededException;
import io.invalidb.query.PeriodicStepBudget;
import io.invalidb.query.StepBudget;
import org.bson.BsonDocument;

/**
 * The position in an ordered result behind which changes are of no interest to a query. Immutable.
 *
 * @param order the order of the result
 * @param last the sort key of the last object of interest, in that order
 */
public record SortHorizon(SortOrder order, DocumentSortKey last) {

    /**
     * Returns whether the document sorts behind it.
     *
     * @throws BudgetExceededException if the sort key is too expensive to extract or to compare
     */
    public boolean excludes(BsonDocument document, PeriodicStepBudget periodicStepBudget) {
        return periodicStepBudget.run(stepBudget -> excludes(document, stepBudget));
    }

    private boolean excludes(BsonDocument document, StepBudget stepBudget) {
        DocumentSortKey rank = order.sortKey(document, stepBudget);
        stepBudget.spend(rank.comparisonCost());
        return rank.compareTo(last) > 0;
    }
}
