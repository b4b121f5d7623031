package io.invalidb.aggregation;

import org.bson.BsonValue;

/**
 * The running state of one computed field of one group, over the values that count. The result
 * depends only on the values that it contains, not on their history.
 */
interface FieldAccumulator {

    void add(BsonValue value);

    /** Removes a value that was added. */
    void remove(BsonValue value);

    /** Returns the field's current value, which never changes afterwards. */
    BsonValue result();

    /**
     * Returns the maximum cost to add or remove the value and then to read the result, in steps of
     * a budget.
     */
    long cost(BsonValue value);

    /** Returns the number of comparisons to find a value in a tree of {@code size} values. */
    static int levels(int size) {
        return Integer.SIZE - Integer.numberOfLeadingZeros(size);
    }

    /** Returns the estimated heap in bytes, without values that members store anyway. */
    long bytes();
}
