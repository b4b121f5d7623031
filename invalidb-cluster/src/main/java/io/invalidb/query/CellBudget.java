package io.invalidb.query;

import java.util.function.Function;
import org.bson.BsonDocument;

/**
 * The renewable step budget that the costly evaluations of one cell share in each period. Steps are
 * counted as in {@link StepBudget}. Later stages on the cell's thread spend from it, too. A
 * thousand queries, each within its own budget, therefore hold up the cell no longer than a few do.
 * Cheap evaluations are free. Single-threaded; one evaluation ends before the next begins.
 */
public final class CellBudget {

    /** About a second; renewed every five. */
    static final long STEPS = 100_000_000;

    private static final long MODERATE = 50_000;

    /** About 10 µs; what every evaluation may take, even when nothing is left. */
    static final long FREE = 1_000;

    private final StepBudget stepBudget = new StepBudget();
    private final long steps;
    private final long freeForEach;
    private long left;
    private long free;

    public CellBudget() {
        this(STEPS, FREE);
    }

    private CellBudget(long steps, long freeForEach) {
        this.steps = steps;
        this.freeForEach = freeForEach;
        this.left = steps;
    }

    /**
     * One for estimates, which evaluations shall not suffer from: a tenth of the other, and nothing
     * is free.
     */
    public static CellBudget forEstimates() {
        return new CellBudget(STEPS / 10, 0);
    }

    /** From now on there is as much as in the beginning. */
    public void renew() {
        left = steps;
    }

    boolean test(Condition condition, BsonDocument document) {
        try {
            return condition.test(document, begin(1));
        } finally {
            end();
        }
    }

    /**
     * Does a piece of work for one query on one document. It has to spend what it takes before it
     * does it.
     *
     * @throws BudgetExceededException if it spends more than what is left for it
     */
    public <T> T grant(Function<StepBudget, T> work) {
        try {
            return work.apply(begin(1));
        } finally {
            end();
        }
    }

    /**
     * Begins a piece of work for queries that share it, until {@link #end}. What each of them may
     * take at any time adds up, so that work which many share is not ended for the sake of a few.
     *
     * @return what to spend
     */
    public StepBudget begin(int queries) {
        free = Math.min(StepBudget.STEPS, freeForEach * Math.max(1, queries));
        stepBudget.grant(granted());
        return stepBudget;
    }

    /** Ends it, and charges what it took unless that was little. */
    public void end() {
        left -= stepBudget.spent() > free ? stepBudget.spent() : 0;
    }

    /**
     * The last quarter is for evaluations that take no longer than half a millisecond, which the
     * costly ones shall not end.
     */
    private long granted() {
        long costly = Math.min(StepBudget.STEPS, left - steps / 4);
        return Math.max(free, Math.max(costly, Math.min(MODERATE, left)));
    }
}
