package io.invalidb.query;

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
    public boolean isBefore(BsonDocument document, CellBudget cellBudget) {
        return cellBudget.grant(stepBudget -> isBefore(document, stepBudget));
    }

    private boolean isBefore(BsonDocument document, StepBudget stepBudget) {
        DocumentSortKey rank = order.rank(document, stepBudget);
        stepBudget.spend(rank.weight());
        return rank.compareTo(last) > 0;
    }
}
