package io.orestes.coordination;

import io.vertx.core.Future;

/**
 * The period in which one member leads one task. At any time at most one term of a task is current
 * in the whole group.
 */
public interface Term {

    /**
     * Returns the fencing token, which grows with each term of the task in the group and so
     * distinguishes leader and successor.
     */
    long fencingToken();

    /**
     * Returns whether this server may act as the leader. As cheap as
     * {@link Coordinator#isCurrent()}, and permanently false once it has ended.
     */
    boolean isCurrent();

    /**
     * Completes on one event loop when the term ends: with the lease, by withdrawal or departure.
     */
    Future<Void> ended();
}
