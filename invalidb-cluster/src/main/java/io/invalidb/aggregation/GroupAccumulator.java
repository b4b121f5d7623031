package io.invalidb.aggregation;

import org.bson.BsonValue;

/**
 * The running state of one computed field of one group, over the values that count. The result
 * depends only on the values that it contains, not on their history.
 */
interface GroupAccumulator {

    void add(BsonValue value);

    /** Takes out a value that was added. */
    void remove(BsonValue value);

    /** The field's value now; never changed by anybody afterwards. */
    BsonValue result();

    /**
     * What it takes at most to take the value in or out and then to read the result, in steps of a
     * budget.
     */
    long effort(BsonValue value);

    /** How many values are looked at to find one of so many in a tree. */
    static int levels(int size) {
        return Integer.SIZE - Integer.numberOfLeadingZeros(size);
    }

    /** Heap that it takes beside values that members remember anyway, by estimate. */
    long bytes();
}
