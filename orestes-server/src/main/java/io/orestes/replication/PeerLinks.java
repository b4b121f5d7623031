package io.orestes.replication;

import io.orestes.async.Contexts;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The links to all other members, with broadcast of messages and a wait for their acknowledgement.
 * Thread-safe; futures complete on the caller's context.
 */
final class PeerLinks {

    /**
     * Deadline of messages in order, which may be acknowledged late; callers of {@link
     * #awaitOrderedAcknowledged} set their own.
     */
    private static final Duration UNLIMITED = Duration.ofDays(36_500);

    private final Vertx vertx;

    /** Links by identity of the member. */
    private final Map<String, PeerLink> links = new ConcurrentHashMap<>();

    /** Acknowledgement of the last message in order to each member. */
    private final Map<String, Future<?>> lastOrdered = new ConcurrentHashMap<>();

    PeerLinks(Vertx vertx) {
        this.vertx = vertx;
    }

    boolean isEmpty() {
        return links.isEmpty();
    }

    /** Opens a link, unless there is one. */
    void open(String member, Supplier<PeerLink> made) {
        if (!links.containsKey(member)) {
            PeerLink peerLink = made.get();
            links.put(member, peerLink);
            peerLink.open();
        }
    }

    /**
     * Sends a message to all. Completes when all have acknowledged it or have ended; fails with
     * {@code UNAVAILABLE} after the deadline.
     */
    Future<List<DeliveryOutcome>> broadcast(PeerMessage peerMessage, Duration deadline) {
        List<Future<DeliveryOutcome>> answers = links.values().stream()
                .map(peerLink -> peerLink.send(peerMessage, deadline))
                .toList();
        return onCallerContext(Future.join(answers).map(done -> done.<DeliveryOutcome>list()));
    }

    /**
     * Sends a message to all whose acknowledgements come in order, so that the last one covers all
     * earlier ones.
     */
    void broadcastInOrder(PeerMessage peerMessage) {
        links.forEach((member, peerLink) ->
                lastOrdered.compute(member, (same, earlier) -> peerLink.send(peerMessage, UNLIMITED)));
    }

    /**
     * Completes when all have acknowledged the messages in order before this call; fails with
     * {@code UNAVAILABLE} after the deadline.
     */
    Future<Void> awaitOrderedAcknowledged(Duration deadline) {
        List<Future<?>> answers = List.copyOf(lastOrdered.values());
        if (links.isEmpty() || answers.stream().allMatch(Future::succeeded)) {
            return Future.succeededFuture();
        }
        return onCallerContext(Future.join(answers)
                .timeout(deadline.toMillis(), TimeUnit.MILLISECONDS)
                .recover(failure ->
                        Future.failedFuture(failure instanceof TimeoutException ? UnackedMessages.overdue() : failure))
                .mapEmpty());
    }

    /** Returns the state of each link, by the identity of the member. */
    Map<String, PeerLinkState> states() {
        return links.entrySet().stream().collect(Collectors.toMap(Map.Entry::getKey, entry -> entry.getValue()
                .state()));
    }

    /** Sends the state of the sketch to all again. */
    void resendState() {
        links.values().forEach(PeerLink::resendState);
    }

    /**
     * Removes a member, which gets no further messages. Waits for it last until its link is closed.
     */
    Optional<PeerLink> remove(String member) {
        lastOrdered.remove(member);
        return Optional.ofNullable(links.remove(member));
    }

    /** Closes all links. */
    void close(Future<DeliveryOutcome> outcome) {
        lastOrdered.clear();
        links.values().forEach(peerLink -> peerLink.close(outcome));
        links.clear();
    }

    private <T> Future<T> onCallerContext(Future<T> elsewhere) {
        return Contexts.on(vertx.getOrCreateContext(), elsewhere);
    }
}
