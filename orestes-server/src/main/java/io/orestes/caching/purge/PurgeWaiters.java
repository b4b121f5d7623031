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

    /** Deadlines and numbers must not go down from call to call. */
    void add(long number, long deadline, Promise<Void> promise) {
        waiting.add(new Barrier(number, deadline, promise));
    }

    /** Lets all go who wait for orders up to that number. */
    void confirmed(long number) {
        while (!waiting.isEmpty() && waiting.peek().number <= number) {
            waiting.remove().promise.complete();
        }
    }

    /** Lets everybody go. */
    void giveUp() {
        confirmed(Long.MAX_VALUE);
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /**
     * How long the first of them has left, not positive if its time is over; there has to be one.
     */
    long left(long now) {
        return waiting.element().deadline - now;
    }
}
