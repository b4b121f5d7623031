package io.orestes.peers;

import io.orestes.flow.Contexts;
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

/** The links to all other members. Thread-safe; futures complete on the caller's context. */
final class Links {

    /** What is answered in order may be answered late; who waits for it says how long. */
    private static final Duration UNLIMITED = Duration.ofDays(36_500);

    private final Vertx vertx;

    /** By identity. */
    private final Map<String, Link> links = new ConcurrentHashMap<>();

    /** The answer to what each was told last of what is answered in order. */
    private final Map<String, Future<?>> last = new ConcurrentHashMap<>();

    Links(Vertx vertx) {
        this.vertx = vertx;
    }

    boolean areNone() {
        return links.isEmpty();
    }

    /** Opens a link, unless there is one. */
    void open(String member, Supplier<Link> made) {
        if (!links.containsKey(member)) {
            Link link = made.get();
            links.put(member, link);
            link.open();
        }
    }

    /** Completes when all have answered or are gone; fails with {@code UNAVAILABLE} after the deadline. */
    Future<List<Confirmation>> tellAll(Message message, Duration deadline) {
        List<Future<Confirmation>> answers = links.values().stream()
                .map(link -> link.tell(message, deadline))
                .toList();
        return here(Future.join(answers).map(done -> done.<Confirmation>list()));
    }

    /** Answers to these come in order, so that the last one stands for all. */
    void tellInOrder(Message message) {
        links.forEach((member, link) -> last.compute(member, (same, earlier) -> link.tell(message, UNLIMITED)));
    }

    /** Completes when all know what they were told in order before this call; fails with {@code UNAVAILABLE} after the deadline. */
    Future<Void> settled(Duration deadline) {
        List<Future<?>> answers = List.copyOf(last.values());
        if (links.isEmpty() || answers.stream().allMatch(Future::succeeded)) {
            return Future.succeededFuture();
        }
        return here(Future.join(answers)
                .timeout(deadline.toMillis(), TimeUnit.MILLISECONDS)
                .recover(failure ->
                        Future.failedFuture(failure instanceof TimeoutException ? Unanswered.overdue() : failure))
                .mapEmpty());
    }

    /** How it is with each, by the identity of the member. */
    Map<String, LinkState> states() {
        return links.entrySet().stream().collect(Collectors.toMap(Map.Entry::getKey, entry -> entry.getValue()
                .state()));
    }

    /** Tells all again what their sketches should know. */
    void retellState() {
        links.values().forEach(Link::retellState);
    }

    /** Has nobody told that member anything from now on; who waits for it waits until the link is closed. */
    Optional<Link> remove(String member) {
        last.remove(member);
        return Optional.ofNullable(links.remove(member));
    }

    /** Closes all. */
    void close(Future<Confirmation> outcome) {
        last.clear();
        links.values().forEach(link -> link.close(outcome));
        links.clear();
    }

    private <T> Future<T> here(Future<T> elsewhere) {
        return Contexts.on(vertx.getOrCreateContext(), elsewhere);
    }
}
