package io.orestes.replication.link;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * The ordered queue of messages to one member that are not acknowledged yet, sent or not. A message
 * stays in the queue until its acknowledgement, as the member has to receive all of them, however
 * late. Callers wait for the acknowledgement only until a deadline. Thread-safe.
 */
final class UnackedMessages {

    private final long mostBytes;

    /** Guarded by this, like everything below. */
    private final Map<Long, PendingMessage> sent = new LinkedHashMap<>();

    private final Deque<PendingMessage> waiting = new ArrayDeque<>();
    private long lastNumber;
    private long bytes;
    private @Nullable Future<DeliveryOutcome> end;

    /** @param mostBytes maximum size of all messages */
    UnackedMessages(long mostBytes) {
        this.mostBytes = mostBytes;
    }

    /**
     * Adds a message behind all others.
     *
     * @return completes on some thread when it is acknowledged, or at the end; fails with
     *     {@code UNAVAILABLE} some time after the deadline
     */
    synchronized Future<DeliveryOutcome> add(BsonDocument message, Duration deadline) {
        if (end != null) {
            return end;
        }
        long number = nextNumber();
        PendingMessage pendingMessage = new PendingMessage(
                number, FrameCodec.encodeMessage(number, message), System.nanoTime(), deadline, Promise.promise());
        waiting.add(pendingMessage);
        bytes += pendingMessage.frame().length();
        return pendingMessage.outcome().future();
    }

    /** Returns a number that no other message has. */
    synchronized long nextNumber() {
        lastNumber++;
        return lastNumber;
    }

    /** Returns the next unsent message; it counts as sent from now on. */
    synchronized Optional<PendingMessage> next() {
        Optional<PendingMessage> next = Optional.ofNullable(waiting.poll());
        next.ifPresent(pendingMessage -> sent.put(pendingMessage.number(), pendingMessage));
        return next;
    }

    /** Marks all sent messages as unsent; they precede those never sent. */
    synchronized void requeueSent() {
        List<PendingMessage> again = new ArrayList<>(sent.values());
        sent.clear();
        for (int last = again.size() - 1; last >= 0; last--) {
            waiting.addFirst(again.get(last));
        }
    }

    /**
     * Removes an acknowledged message and completes its future; does nothing if it was removed
     * already.
     */
    void acknowledge(long number, DeliveryOutcome deliveryOutcome) {
        Optional<PendingMessage> answered = remove(number);
        answered.ifPresent(pendingMessage -> {
            boolean unused = pendingMessage.outcome().tryComplete(deliveryOutcome);
        });
    }

    private synchronized Optional<PendingMessage> remove(long number) {
        Optional<PendingMessage> removed = Optional.ofNullable(sent.remove(number));
        removed.ifPresent(pendingMessage -> bytes -= pendingMessage.frame().length());
        return removed;
    }

    /** Fails the waits for overdue messages, sent or not. */
    void failOverdue() {
        ApiException failure = overdue();
        overdue(System.nanoTime()).forEach(pendingMessage -> {
            boolean unused = pendingMessage.outcome().tryFail(failure);
        });
    }

    private synchronized List<PendingMessage> overdue(long nowNanos) {
        return Stream.concat(sent.values().stream(), waiting.stream())
                .filter(pendingMessage -> pendingMessage.isOverdue(nowNanos))
                .toList();
    }

    /** Returns the failure of a write that waits for too long. */
    static ApiException overdue() {
        return new ApiException(
                ErrorCode.UNAVAILABLE, "Another server has not acknowledged the write in time; it is stored");
    }

    /** Returns the number of messages. */
    synchronized int count() {
        return sent.size() + waiting.size();
    }

    /** Returns the size of all messages in bytes. */
    synchronized long bytes() {
        return bytes;
    }

    /** Returns whether the size exceeds its limit. */
    synchronized boolean isOverfull() {
        return bytes > mostBytes;
    }

    /**
     * Removes all messages and completes them with {@code outcome}, also later ones. Must be called
     * again if the outcome changes.
     */
    void completeAll(Future<DeliveryOutcome> outcome) {
        drain(outcome).forEach(pendingMessage -> {
            boolean unused = outcome.succeeded()
                    ? pendingMessage.outcome().tryComplete(outcome.result())
                    : pendingMessage.outcome().tryFail(outcome.cause());
        });
    }

    private synchronized List<PendingMessage> drain(Future<DeliveryOutcome> outcome) {
        end = outcome;
        List<PendingMessage> all = new ArrayList<>(sent.values());
        all.addAll(waiting);
        sent.clear();
        waiting.clear();
        bytes = 0;
        return all;
    }
}
