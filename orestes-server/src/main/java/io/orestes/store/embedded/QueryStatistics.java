package io.orestes.store.embedded;

import java.util.concurrent.atomic.LongAdder;

/**
 * Counters of the work that queries have done since the store was opened. Any thread may read it.
 */
public final class QueryStatistics {

    private final LongAdder examined = new LongAdder();

    /**
     * Objects that were read to see whether they match; with the right index little more than did.
     */
    public long objectsExamined() {
        return examined.sum();
    }

    void objectExamined() {
        examined.increment();
    }
}
