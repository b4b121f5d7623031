package io.orestes.caching;

import java.util.List;

/**
 * Statistics of how granted times to live compare with the real lifetimes of states, since the
 * start.
 *
 * @param kind {@code object} or {@code query}
 * @param changed number of times that a change ended early
 * @param expired number of times that passed without a change
 * @param ratios states by granted time to live, divided by real lifetime
 */
public record TtlAccuracy(String kind, long changed, long expired, List<TtlRatioBucket> ratios) {

    public TtlAccuracy {
        ratios = List.copyOf(ratios);
    }

    /**
     * One bucket of the histogram of granted times to live divided by real lifetimes. It counts the
     * states with a ratio up to {@code atMost} and above that of the bucket before; {@code atMost}
     * is infinite in the last.
     */
    public record TtlRatioBucket(double atMost, long count) {}
}
