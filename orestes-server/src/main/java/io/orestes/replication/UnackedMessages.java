package io.orestes.replication;

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
import org.jspecify.annotations.Nullable;

/**
 * The ordered queue of messages to one member that are not acknowledged yet, sent or not. A message
 * stays in the queue until its acknowledgement, as the member has to receive all of them, however
 * late. Callers wait for the acknowledgement only until a deadline. Thread-safe.
 */
final class UnackedMessages {

    private final long mostBytes;

    /** Guarded by this, as everything below. */
    private final Map<Long, PendingMessage> sent = new LinkedHashMap<>();

    private final Deque<PendingMessage> waiting = new ArrayDeque<>();
    private long lastNumber;
    private long bytes;
    private @Nullable Future<DeliveryOutcome> end;

    /** @param mostBytes how much may be kept */
    UnackedMessages(long mostBytes) {
        this.mostBytes = mostBytes;
    }

    /**
     * Adds a message behind all others.
     *
     * @return completes on some thread when it is answered, or all has ended; fails with {@code
     *     UNAVAILABLE} some time after the deadline
     */
    synchronized Future<DeliveryOutcome> add(PeerMessage peerMessage, Duration deadline) {
        if (end != null) {
            return end;
        }
        long number = nextNumber();
        PendingMessage pendingMessage = new PendingMessage(
                number, FrameCodec.message(number, peerMessage), System.nanoTime(), deadline, Promise.promise());
        waiting.add(pendingMessage);
        bytes += pendingMessage.frame().length();
        return pendingMessage.answer().future();
    }

    /** A number that no other message has. */
    synchronized long nextNumber() {
        lastNumber++;
        return lastNumber;
    }

    /** The next that was not sent; it counts as sent from now on. */
    synchronized Optional<PendingMessage> next() {
        Optional<PendingMessage> next = Optional.ofNullable(waiting.poll());
        next.ifPresent(pendingMessage -> sent.put(pendingMessage.number(), pendingMessage));
        return next;
    }

    /** What was sent has to be sent again, before all that was not. */
    synchronized void sendAgain() {
        List<PendingMessage> again = new ArrayList<>(sent.values());
        sent.clear();
        for (int last = again.size() - 1; last >= 0; last--) {
            waiting.addFirst(again.get(last));
        }
    }

    /** The message with that number was answered; says nothing if it had been already. */
    void answered(long number, DeliveryOutcome deliveryOutcome) {
        Optional<PendingMessage> answered = remove(number);
        answered.ifPresent(pendingMessage -> {
            boolean unused = pendingMessage.answer().tryComplete(deliveryOutcome);
        });
    }

    private synchronized Optional<PendingMessage> remove(long number) {
        Optional<PendingMessage> removed = Optional.ofNullable(sent.remove(number));
        removed.ifPresent(pendingMessage -> bytes -= pendingMessage.frame().length());
        return removed;
    }

    /** Has nobody wait any longer for what is overdue, sent or not. */
    void failOverdue() {
        ApiException failure = overdue();
        overdue(System.nanoTime()).forEach(pendingMessage -> {
            boolean unused = pendingMessage.answer().tryFail(failure);
        });
    }

    private synchronized List<PendingMessage> overdue(long nowNanos) {
        return Stream.concat(sent.values().stream(), waiting.stream())
                .filter(pendingMessage -> pendingMessage.isOverdue(nowNanos))
                .toList();
    }

    /** What becomes of writes that wait for too long. */
    static ApiException overdue() {
        return new ApiException(
                ErrorCode.UNAVAILABLE, "Another server has not dealt with the write in time; it is stored");
    }

    /** How many are kept. */
    synchronized int count() {
        return sent.size() + waiting.size();
    }

    /** How much is kept. */
    synchronized long bytes() {
        return bytes;
    }

    /** Whether more is kept than may be. */
    synchronized boolean isOverfull() {
        return bytes > mostBytes;
    }

    /**
     * Forgets all of it: that is the answer to everything, also to what is added later. To be
     * called again if it becomes another one.
     */
    void end(Future<DeliveryOutcome> outcome) {
        ended(outcome).forEach(pendingMessage -> {
            boolean unused = outcome.succeeded()
                    ? pendingMessage.answer().tryComplete(outcome.result())
                    : pendingMessage.answer().tryFail(outcome.cause());
        });
    }

    private synchronized List<PendingMessage> ended(Future<DeliveryOutcome> outcome) {
        end = outcome;
        List<PendingMessage> all = new ArrayList<>(sent.values());
        all.addAll(waiting);
        sent.clear();
        waiting.clear();
        bytes = 0;
        return all;
    }
}
