package io.orestes.store.embedded.query;

import java.util.concurrent.atomic.LongAdder;

/**
 * Counters of the work that queries have done since the store was opened. Any thread may read it.
 */
public final class QueryStatistics {

    private final LongAdder examined = new LongAdder();

    /**
     * Returns the number of objects that queries read; with the right index little more than match.
     */
    public long objectsExamined() {
        return examined.sum();
    }

    void objectExamined() {
        examined.increment();
    }
}
