package io.invalidb.query;

/**
 * A filter would take too long on one document. It is not known whether that matches, so whoever evaluates the filter has to
 * end the query with an error, for which the message is meant.
 */
public final class BudgetExceededException extends RuntimeException {

    private static final String MESSAGE =
            "The query takes too long on one object: its regular expressions, formulas and" + " conditions may take "
                    + Budget.STEPS + " steps on the texts and arrays of each";

    BudgetExceededException() {
        super(MESSAGE, null, false, false);
    }

    @Override
    public String getMessage() {
        return MESSAGE;
    }
}
