package io.orestes.read;

import io.invalidb.aggregation.AggregateTooLargeException;
import io.invalidb.query.BudgetExceededException;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;

/** What can go wrong while an aggregate takes objects, as clients are told of it. */
public final class AggregateErrors {

    private AggregateErrors() {}

    /** Does the step; fails with {@code QUERY_NOT_SUPPORTED} if that is too much for the aggregate. */
    public static void translated(Runnable step) {
        try {
            step.run();
        } catch (AggregateTooLargeException | BudgetExceededException tooMuch) {
            throw new ApiException(ErrorCode.QUERY_NOT_SUPPORTED, String.valueOf(tooMuch.getMessage()));
        }
    }
}
