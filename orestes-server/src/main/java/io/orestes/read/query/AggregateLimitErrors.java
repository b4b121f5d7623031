package io.orestes.read.query;

import io.invalidb.aggregation.AggregateTooLargeException;
import io.invalidb.query.BudgetExceededException;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;

/** The mapping of exceeded limits of an aggregation to errors that clients receive. */
public final class AggregateLimitErrors {

    private AggregateLimitErrors() {}

    /**
     * Runs the step; fails with {@code QUERY_NOT_SUPPORTED} if it exceeds the limits of the
     * aggregate.
     */
    public static void translateErrors(Runnable step) {
        try {
            step.run();
        } catch (AggregateTooLargeException | BudgetExceededException tooMuch) {
            throw new ApiException(ErrorCode.QUERY_NOT_SUPPORTED, String.valueOf(tooMuch.getMessage()));
        }
    }
}
