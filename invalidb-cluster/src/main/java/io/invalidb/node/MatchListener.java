package io.invalidb.node;

import io.invalidb.matching.FailedQuery;
import io.invalidb.model.MatchEvent;

/**
 * Learns how the results of subscribed queries change.
 *
 * <p>Called by the threads of the cells: per query and object in commit order, otherwise concurrently. Must be quick, for
 * its cell stands still meanwhile, and must not wait for the cluster. What it throws is logged and goes no further. A query
 * whose subscription fails or ends may still cause events for a moment.
 */
@FunctionalInterface
public interface MatchListener {

    void onMatch(MatchEvent event);

    /**
     * A query was ended because its filter failed on a write; comes once for a subscription, before the write is answered.
     * It may be subscribed again at once.
     */
    default void onFailure(FailedQuery failed) {}
}
