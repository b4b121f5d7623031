package io.orestes.socket;

import io.orestes.async.Contexts;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * The queue of events of one connection that wait until the response to the write that caused them
 * is sent. Later events wait behind them, because the queue sends all events in order. Belongs to
 * the connection's event loop.
 */
final class DeferredEvents {

    /**
     * Maximum delay of an event until the response to the write that caused it, which may wait for
     * a shared cache.
     */
    private static final Duration MAX_WAIT = Duration.ofSeconds(5);

    /** A delayed event; its length counts in the unsent bytes of the client. */
    private static final class DeferredEvent {

        private final Future<Void> answered;
        private final int length;
        private final Runnable sending;

        private DeferredEvent(Future<Void> answered, int length, Runnable sending) {
            this.answered = answered;
            this.length = length;
            this.sending = sending;
        }
    }

    private final Vertx vertx;
    private final Context context;
    private final Queue<DeferredEvent> waiting = new ArrayDeque<>();
    private long bytes;

    DeferredEvents(Vertx vertx, Context home) {
        this.vertx = vertx;
        this.context = home;
    }

    /** Sends the event now, unless it has to wait. */
    void add(Future<Void> answered, int length, Runnable sending) {
        if (waiting.isEmpty() && answered.isComplete()) {
            sending.run();
            return;
        }
        bytes += length;
        waiting.add(new DeferredEvent(answered, length, sending));
        if (waiting.size() == 1) {
            awaitFirst();
        }
    }

    /** Returns the bytes of all delayed events. */
    long bytes() {
        return bytes;
    }

    /** Drops all events, since the connection has ended. */
    void clear() {
        waiting.clear();
        bytes = 0;
    }

    private void awaitFirst() {
        DeferredEvent first = waiting.element();
        long timer = vertx.setTimer(MAX_WAIT.toMillis(), late -> sendReady(first));
        Contexts.on(context, first.answered).onComplete(done -> {
            if (vertx.cancelTimer(timer)) {
                sendReady(first);
            }
        });
    }

    /**
     * Sends the events that are due. It is a loop, since thousands may wait behind one that was
     * delayed for long.
     */
    private void sendReady(DeferredEvent first) {
        if (waiting.peek() != first) {
            return;
        }
        DeferredEvent next = first;
        do {
            waiting.remove();
            bytes -= next.length;
            next.sending.run();
            next = waiting.peek();
        } while (next != null && next.answered.isComplete());
        if (next != null) {
            awaitFirst();
        }
    }
}
