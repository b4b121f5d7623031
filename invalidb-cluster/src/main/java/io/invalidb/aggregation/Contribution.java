package io.invalidb.aggregation;

import io.invalidb.query.StepBudget;
import io.invalidb.query.StepCost;
import java.util.List;
import org.bson.BsonValue;

/**
 * The group key and the values that one object contributes to an aggregate.
 *
 * @param key the key of its group, in canonical form
 * @param values one for each accumulator; {@link AccumulatorSpec#NOTHING} where the object has no
 *     value that counts
 */
record Contribution(BsonValue key, List<BsonValue> values) {

    /**
     * How often it is looked at, beside looking for its values, until it has been taken in or out.
     */
    private static final long PASSES = 5;

    private static final long MEMBER_BYTES = 256;
    private static final long VALUE_BYTES = 48;

    /** The heap it takes to remember it, by estimate. */
    long bytes() {
        long sum = MEMBER_BYTES + bytes(key);
        for (BsonValue value : values) {
            sum += bytes(value);
        }
        return sum;
    }

    /** Pays for looking at all of it. */
    void pay(StepBudget stepBudget) {
        long before = stepBudget.spent();
        StepCost.spend(key, stepBudget);
        for (BsonValue value : values) {
            StepCost.spend(value, stepBudget);
        }
        stepBudget.spend((PASSES - 1) * (stepBudget.spent() - before));
    }

    /** The heap one value takes, by estimate. */
    static long bytes(BsonValue value) {
        return VALUE_BYTES * StepCost.of(value);
    }
}
