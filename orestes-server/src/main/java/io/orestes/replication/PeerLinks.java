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

    /** What is answered in order may be answered late; who waits for it says how long. */
    private static final Duration UNLIMITED = Duration.ofDays(36_500);

    private final Vertx vertx;

    /** By identity. */
    private final Map<String, PeerLink> links = new ConcurrentHashMap<>();

    /** The answer to what each was told last of what is answered in order. */
    private final Map<String, Future<?>> last = new ConcurrentHashMap<>();

    PeerLinks(Vertx vertx) {
        this.vertx = vertx;
    }

    boolean areNone() {
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
     * Completes when all have answered or are gone; fails with {@code UNAVAILABLE} after the
     * deadline.
     */
    Future<List<DeliveryOutcome>> tellAll(PeerMessage peerMessage, Duration deadline) {
        List<Future<DeliveryOutcome>> answers = links.values().stream()
                .map(peerLink -> peerLink.tell(peerMessage, deadline))
                .toList();
        return here(Future.join(answers).map(done -> done.<DeliveryOutcome>list()));
    }

    /** Answers to these come in order, so that the last one stands for all. */
    void tellInOrder(PeerMessage peerMessage) {
        links.forEach(
                (member, peerLink) -> last.compute(member, (same, earlier) -> peerLink.tell(peerMessage, UNLIMITED)));
    }

    /**
     * Completes when all know what they were told in order before this call; fails with {@code
     * UNAVAILABLE} after the deadline.
     */
    Future<Void> settled(Duration deadline) {
        List<Future<?>> answers = List.copyOf(last.values());
        if (links.isEmpty() || answers.stream().allMatch(Future::succeeded)) {
            return Future.succeededFuture();
        }
        return here(Future.join(answers)
                .timeout(deadline.toMillis(), TimeUnit.MILLISECONDS)
                .recover(failure ->
                        Future.failedFuture(failure instanceof TimeoutException ? UnackedMessages.overdue() : failure))
                .mapEmpty());
    }

    /** How it is with each, by the identity of the member. */
    Map<String, PeerLinkState> states() {
        return links.entrySet().stream().collect(Collectors.toMap(Map.Entry::getKey, entry -> entry.getValue()
                .state()));
    }

    /** Tells all again what their sketches should know. */
    void retellState() {
        links.values().forEach(PeerLink::retellState);
    }

    /**
     * Has nobody told that member anything from now on; who waits for it waits until the link is
     * closed.
     */
    Optional<PeerLink> remove(String member) {
        last.remove(member);
        return Optional.ofNullable(links.remove(member));
    }

    /** Closes all. */
    void close(Future<DeliveryOutcome> outcome) {
        last.clear();
        links.values().forEach(peerLink -> peerLink.close(outcome));
        links.clear();
    }

    private <T> Future<T> here(Future<T> elsewhere) {
        return Contexts.on(vertx.getOrCreateContext(), elsewhere);
    }
}
