package io.orestes.coordination;

import io.vertx.core.Future;

/**
 * The period in which one member leads one task. At any time at most one term of a task is current
 * in the whole group.
 */
public interface Term {

    /**
     * Grows with each term of the task in the group; with it the leader's successor can be told
     * from the leader.
     */
    long fencing();

    /**
     * Whether to act as the leader; as cheap as {@link Coordinator#isCurrent()}, and false for good
     * once it has ended.
     */
    boolean isCurrent();

    /**
     * Completes on one event loop when the term ends: with the lease, by withdrawing, by leaving.
     */
    Future<Void> ended();
}
