package io.invalidb.query.filter;

import io.invalidb.query.BudgetExceededException;
import io.invalidb.query.StepBudget;
import org.bson.BsonDocument;

/**
 * The proximity by which a filter orders its results: the distance of a document from a center.
 * Immutable.
 */
public interface Proximity {

    /**
     * Returns the smallest distance that the document has within the bounds of the filter; infinite
     * if there is none.
     *
     * @throws BudgetExceededException if the budget is used up
     */
    double distance(BsonDocument document, StepBudget stepBudget);

    /** Returns the proximity as a filter; equal ones have equal documents. */
    BsonDocument toBson();
}
