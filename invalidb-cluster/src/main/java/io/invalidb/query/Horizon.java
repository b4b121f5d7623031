package io.invalidb.query;

import org.bson.BsonDocument;

/**
 * How far somebody follows an ordered result: what sorts behind it is of no interest to him. Immutable.
 *
 * @param order of the result
 * @param last what the last object that is of interest is sorted by, in that order
 */
public record Horizon(SortOrder order, SortRank last) {

    /**
     * Whether the document sorts behind it.
     *
     * @throws BudgetExceededException if it takes too long to find what the document is sorted by, or to compare it
     */
    public boolean isBefore(BsonDocument document, Allowance allowance) {
        return allowance.grant(budget -> isBefore(document, budget));
    }

    private boolean isBefore(BsonDocument document, Budget budget) {
        SortRank rank = order.rank(document, budget);
        budget.spend(rank.weight());
        return rank.compareTo(last) > 0;
    }
}
