package io.invalidb.aggregation;

import org.bson.BsonValue;

/** One computed field of one group, over values that count. The result depends on what is in, not on how it came there. */
interface Tally {

    void add(BsonValue value);

    /** Takes out a value that was added. */
    void remove(BsonValue value);

    /** The field's value now; never changed by anybody afterwards. */
    BsonValue result();

    /** Heap that it takes beside values that members remember anyway, by estimate. */
    long bytes();
}
