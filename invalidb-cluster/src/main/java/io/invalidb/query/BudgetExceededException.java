package io.invalidb.query;

/**
 * Signals that an evaluation exceeds its step budget on one document, so that its query has to end.
 * Whether the document matches is unknown. The caller has to end the query with an error that
 * carries this message.
 */
public final class BudgetExceededException extends RuntimeException {

    private static final String ALONE = "The query takes too long on one object: its patterns, expressions and"
            + " conditions may take " + StepBudget.MAX_STEPS + " steps on the texts and arrays of each";
    private static final String TOGETHER =
            "The query takes long on one object, and so do too many others at present: use simpler conditions";

    private final String message;

    private BudgetExceededException(String message) {
        super(message, null, false, false);
        this.message = message;
    }

    static BudgetExceededException ofEvaluation() {
        return new BudgetExceededException(ALONE);
    }

    static BudgetExceededException ofCell() {
        return new BudgetExceededException(TOGETHER);
    }

    @Override
    public String getMessage() {
        return message;
    }
}
