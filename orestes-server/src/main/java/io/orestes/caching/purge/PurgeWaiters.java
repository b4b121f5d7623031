package io.orestes.caching.purge;

import io.vertx.core.Promise;
import java.util.ArrayDeque;

/**
 * The queue of callers that wait for the confirmation of purges, each with a deadline.
 * Single-threaded; times are those of {@link PurgeBacklog}.
 */
final class PurgeWaiters {

    private final ArrayDeque<Barrier> waiting = new ArrayDeque<>();

    private record Barrier(long number, long deadline, Promise<Void> promise) {}

    /** Adds a waiting caller. Deadlines and numbers must not decrease from call to call. */
    void add(long number, long deadline, Promise<Void> promise) {
        waiting.add(new Barrier(number, deadline, promise));
    }

    /** Completes all that wait for requests up to {@code number}. */
    void completeUpTo(long number) {
        while (!waiting.isEmpty() && waiting.peek().number <= number) {
            waiting.remove().promise.complete();
        }
    }

    /** Completes all. */
    void completeAll() {
        completeUpTo(Long.MAX_VALUE);
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /**
     * Returns the remaining time of the first one, not positive after its deadline; there must be
     * one.
     */
    long left(long now) {
        return waiting.element().deadline - now;
    }
}
