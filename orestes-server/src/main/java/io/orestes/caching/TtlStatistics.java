package io.orestes.caching;

import java.util.List;

/**
 * What became of times to live since the start.
 *
 * @param kind {@code object} or {@code query}
 * @param changed times that a change ended early
 * @param expired times that passed while the state was the newest
 * @param ratios states by the time they were granted, divided by how long they really lived
 */
public record TtlStatistics(String kind, long changed, long expired, List<TtlRatioBucket> ratios) {

    public TtlStatistics {
        ratios = List.copyOf(ratios);
    }

    /** So many states have a ratio up to {@code atMost}, and above that of the bucket before; infinity for the rest. */
    public record TtlRatioBucket(double atMost, long count) {}
}
