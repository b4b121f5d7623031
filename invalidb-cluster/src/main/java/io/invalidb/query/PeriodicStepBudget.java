package io.invalidb.query;

import java.util.function.Function;

/**
 * The renewable step budget that the costly evaluations of one cell share in each period. Steps are
 * counted as in {@link StepBudget}. Later stages on the cell's thread spend from it, too. A
 * thousand queries, each within its own budget, therefore block the cell no longer than a few do.
 * Cheap evaluations are free. Single-threaded; one evaluation ends before the next begins.
 */
public final class PeriodicStepBudget {

    /** Steps per period, about a second; renewed every five seconds. */
    static final long STEPS_PER_PERIOD = 100_000_000;

    private static final long MODERATE_STEPS = 50_000;

    /** Free steps of each evaluation, about 10 µs, even when the budget is used up. */
    static final long FREE_STEPS = 1_000;

    private final StepBudget stepBudget = new StepBudget();
    private final long steps;
    private final long freeForEach;
    private long left;
    private long free;

    public PeriodicStepBudget() {
        this(STEPS_PER_PERIOD, FREE_STEPS);
    }

    private PeriodicStepBudget(long steps, long freeForEach) {
        this.steps = steps;
        this.freeForEach = freeForEach;
        this.left = steps;
    }

    /**
     * Creates a budget for estimates, which must not take steps from evaluations: a tenth of an
     * ordinary one, without free steps.
     */
    public static PeriodicStepBudget forEstimates() {
        return new PeriodicStepBudget(STEPS_PER_PERIOD / 10, 0);
    }

    /** Renews the budget to its initial number of steps. */
    public void renew() {
        left = steps;
    }

    /**
     * Runs a piece of work for one query on one document. It has to spend the steps of its work in
     * advance.
     *
     * @throws BudgetExceededException if it exceeds the remaining steps
     */
    public <T> T run(Function<StepBudget, T> work) {
        try {
            return work.apply(openShared(1));
        } finally {
            closeShared();
        }
    }

    /**
     * Begins a piece of work for queries that share it, until {@link #closeShared}. The steps that
     * each of them may take at any time add up, so that a few expensive queries do not end the work
     * of many.
     *
     * @return the budget of the work
     */
    public StepBudget openShared(int queries) {
        free = Math.min(StepBudget.MAX_STEPS, freeForEach * Math.max(1, queries));
        stepBudget.reset(granted());
        return stepBudget;
    }

    /** Ends the work, and charges its steps unless they are few. */
    public void closeShared() {
        left -= stepBudget.spent() > free ? stepBudget.spent() : 0;
    }

    /**
     * Returns the granted steps. The last quarter is reserved for evaluations of at most half a
     * millisecond, so that costly ones do not end them.
     */
    private long granted() {
        long costly = Math.min(StepBudget.MAX_STEPS, left - steps / 4);
        return Math.max(free, Math.max(costly, Math.min(MODERATE_STEPS, left)));
    }
}
