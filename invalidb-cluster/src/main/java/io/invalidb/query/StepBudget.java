package io.invalidb.query;

/**
 * The step budget of one filter evaluation on one document, counted in abstract steps of about 10
 * ns. A later stage on the document has such a budget, too. A step is the reading of one value, or
 * the automaton's work for one instruction of a regular expression at one character. Steps are
 * counted and not timed, so that one evaluation always has one outcome, however busy the machine
 * is. Used by one thread.
 */
public final class StepBudget {

    /** Default number of steps, about 50 ms. */
    static final long MAX_STEPS = 5_000_000;

    private long granted = MAX_STEPS;
    private long left = MAX_STEPS;

    public StepBudget() {}

    /** Resets the budget to {@code steps}. */
    void reset(long steps) {
        granted = steps;
        left = steps;
    }

    /** Returns the spent steps, including those of a failed charge. */
    public long spent() {
        return granted - left;
    }

    /**
     * Charges {@code steps}.
     *
     * @throws BudgetExceededException if they exceed the remaining ones
     */
    public void spend(long steps) {
        left -= steps;
        if (left < 0) {
            throw granted < MAX_STEPS ? BudgetExceededException.ofCell() : BudgetExceededException.ofEvaluation();
        }
    }
}
