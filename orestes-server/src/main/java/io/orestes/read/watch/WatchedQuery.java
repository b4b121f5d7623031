package io.orestes.read.watch;

import io.invalidb.model.MatchType;
import io.orestes.invalidb.QueryLease;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * A query watched under one lease, with the keys of its cached responses and its benefit.
 * Thread-safe; keys are added and removed only inside the atomic steps of {@link
 * CachedQueryRegistry}.
 */
final class WatchedQuery {

    /**
     * Number of observations that {@link ResultFormCostModel} uses; above it, older ones count
     * half.
     */
    private static final int REMEMBERED_CHANGES = 64;

    private final Future<QueryLease> lease;
    private final long since;
    private final Map<String, KeyRetention> keys = new ConcurrentHashMap<>();
    private final LongAdder reads = new LongAdder();
    private final LongAdder matches = new LongAdder();
    private long memberships;
    private long changes;
    private volatile int size;

    /** @param since time of the request for the lease, in milliseconds since 1970 */
    WatchedQuery(Future<QueryLease> hold, long since) {
        this.lease = hold;
        this.since = since;
    }

    /** Returns whether the lease was requested before that time and is not acquired yet. */
    boolean isOverdue(long before) {
        return since <= before && !lease.isComplete();
    }

    Future<QueryLease> lease() {
        return lease;
    }

    Map<String, KeyRetention> keys() {
        return keys;
    }

    /** Returns the counter of reads that its responses answered. */
    LongAdder reads() {
        return reads;
    }

    /**
     * Counts a matched write, which costs the grid work and the caches their responses of the
     * query.
     */
    void countMatch(MatchType type) {
        matches.increment();
        synchronized (this) {
            memberships += type == MatchType.CHANGE ? 0 : 1;
            changes += type == MatchType.CHANGE ? 1 : 0;
            if (memberships + changes > REMEMBERED_CHANGES) {
                memberships /= 2;
                changes /= 2;
            }
        }
    }

    /** Returns the keys that a change of that type makes stale. */
    Collection<String> keysChangedBy(MatchType type) {
        return type == MatchType.CHANGE
                ? keys.entrySet().stream()
                        .filter(key -> !key.getValue().showsMembershipOnly())
                        .map(Map.Entry::getKey)
                        .toList()
                : List.copyOf(keys.keySet());
    }

    /** Sets the number of objects of the last response. */
    void size(int objects) {
        size = objects;
    }

    boolean prefersIds() {
        synchronized (this) {
            return ResultFormCostModel.prefersIds(memberships, changes, size);
        }
    }

    /** Returns the reads answered for each matched write, with older ones of both weighted less. */
    double benefit() {
        return (double) reads.sum() / (1 + matches.sum());
    }

    /** Halves the weight of earlier counts. */
    void decay() {
        halve(reads);
        halve(matches);
    }

    private static void halve(LongAdder count) {
        count.add(count.sumThenReset() / 2);
    }
}
