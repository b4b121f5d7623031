package io.invalidb.query;

/**
 * The step budget of one filter evaluation on one document, counted in abstract steps of about 10
 * ns. A later stage on the document has such a budget, too. A step is a look at one value, or the
 * automaton's work for one instruction of a regular expression at one character. Steps are counted
 * and not timed, so that the same evaluation always ends the same way, however busy the machine is.
 * Used by one thread.
 */
public final class StepBudget {

    /** About 50 ms. */
    static final long STEPS = 5_000_000;

    private long granted = STEPS;
    private long left = STEPS;

    StepBudget() {}

    /** Begins anew, with as many steps. */
    void grant(long steps) {
        granted = steps;
        left = steps;
    }

    /** What was taken of those granted, and what it failed to take. */
    public long spent() {
        return granted - left;
    }

    /**
     * Takes so many steps.
     *
     * @throws BudgetExceededException if that is more than what is left
     */
    public void spend(long steps) {
        left -= steps;
        if (left < 0) {
            throw granted < STEPS ? BudgetExceededException.together() : BudgetExceededException.alone();
        }
    }
}
