package io.orestes.async;

import io.orestes.model.ApiException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A bulkhead: it limits how many operations of one kind run at a time, and queues the others.
 * Queued operations run in order. Each begins on the context of its caller, and its outcome is
 * handled before the next one begins. Thread-safe.
 */
public final class Bulkhead {

    private final Vertx vertx;
    private final int maxConcurrent;
    private final @Nullable QueueLimits limits;
    private final Queue<Promise<Void>> queue = new ArrayDeque<>();
    private int running;

    /**
     * The limits of the queue.
     *
     * @param maxQueued number of queued operations from which on further ones are refused
     * @param timeout time after which a queued operation is refused
     * @param refusal creates the failure of a refused operation
     */
    public record QueueLimits(int maxQueued, Duration timeout, Supplier<ApiException> refusal) {}

    /** Creates a bulkhead whose queue has no limits. */
    public Bulkhead(Vertx vertx, int maxConcurrent) {
        this.vertx = vertx;
        this.maxConcurrent = maxConcurrent;
        this.limits = null;
    }

    /** Creates a bulkhead that refuses operations beyond the limits of its queue. */
    public Bulkhead(Vertx vertx, int maxConcurrent, QueueLimits limits) {
        this.vertx = vertx;
        this.maxConcurrent = maxConcurrent;
        this.limits = limits;
    }

    /**
     * Runs an operation when a permit is free. Fails as the operation does, also if that throws,
     * and with the refusal.
     */
    public <T> Future<T> run(Supplier<Future<T>> operation) {
        return acquire().compose(permit -> runAdmitted(operation));
    }

    private <T> Future<T> runAdmitted(Supplier<Future<T>> operation) {
        Promise<T> outcome = Promise.promise();
        Future.<Void>succeededFuture().compose(now -> operation.get()).onComplete(done -> {
            outcome.handle(done);
            release();
        });
        return outcome.future();
    }

    private Future<Void> acquire() {
        Promise<Void> permit = Promise.promise();
        synchronized (queue) {
            if (running < maxConcurrent) {
                running++;
                return Future.succeededFuture();
            }
            if (limits != null && queue.size() >= limits.maxQueued()) {
                return Future.failedFuture(limits.refusal().get());
            }
            queue.add(permit);
        }
        Future<Void> granted = Contexts.on(vertx.getOrCreateContext(), permit.future());
        return limits == null ? granted : refuseLate(permit, granted, limits);
    }

    private Future<Void> refuseLate(Promise<Void> permit, Future<Void> granted, QueueLimits queueLimits) {
        long timer = vertx.setTimer(queueLimits.timeout().toMillis(), late -> {
            if (leave(permit)) {
                permit.fail(queueLimits.refusal().get());
            }
        });
        return granted.onComplete(done -> {
            boolean unused = vertx.cancelTimer(timer);
        });
    }

    /** Removes an operation from the queue; returns false if it has its permit already. */
    private boolean leave(Promise<Void> permit) {
        synchronized (queue) {
            return queue.remove(permit);
        }
    }

    /** Passes the permit on to the next operation. */
    private void release() {
        @Nullable Promise<Void> next;
        synchronized (queue) {
            next = queue.poll();
            if (next == null) {
                running--;
            }
        }
        if (next != null) {
            next.complete();
        }
    }
}
