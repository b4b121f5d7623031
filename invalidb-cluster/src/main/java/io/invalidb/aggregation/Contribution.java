package io.invalidb.aggregation;

import io.invalidb.query.StepBudget;
import io.invalidb.query.value.StepCost;
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
     * Number of passes over a contribution, without the search for its values, until it is added or
     * removed.
     */
    private static final long PASSES = 5;

    private static final long MEMBER_BYTES = 256;
    private static final long VALUE_BYTES = 48;

    /** Returns the estimated heap in bytes of a stored contribution. */
    long bytes() {
        long sum = MEMBER_BYTES + bytes(key);
        for (BsonValue value : values) {
            sum += bytes(value);
        }
        return sum;
    }

    /** Charges the cost of reading all of it. */
    void pay(StepBudget stepBudget) {
        long before = stepBudget.spent();
        StepCost.spend(key, stepBudget);
        for (BsonValue value : values) {
            StepCost.spend(value, stepBudget);
        }
        stepBudget.spend((PASSES - 1) * (stepBudget.spent() - before));
    }

    /** Returns the estimated heap in bytes of one value. */
    static long bytes(BsonValue value) {
        return VALUE_BYTES * StepCost.of(value);
    }
}
