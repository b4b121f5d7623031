package io.orestes.live;

import io.orestes.auth.Caller;
import io.orestes.model.ApiException;
import io.orestes.model.StoredObject;
import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The subscription of one client to one live query, confined to the context that opened it. Callers
 * on other contexts go through that context. An exception of its listener ends this subscription
 * and no other.
 */
public final class Subscription {

    private static final Logger log = LoggerFactory.getLogger(Subscription.class);

    private final LiveQuery query;
    private final Context home;
    private final SubscriptionListener listener;
    private final SubscriptionRequest request;
    private final Consumer<Subscription> onClose;
    /** Calls delayed by rights checks: a list for each check, of the calls after its start. */
    private final Deque<List<Runnable>> heldBack = new ArrayDeque<>();

    private @Nullable ClientView told;
    private LongConsumer onSettled = number -> {};
    private @Nullable EventId last;
    private boolean closed;

    Subscription(
            LiveQuery query,
            Context home,
            SubscriptionListener listener,
            SubscriptionRequest request,
            Consumer<Subscription> onClose) {
        this.query = query;
        this.home = home;
        this.listener = listener;
        this.request = request;
        this.onClose = onClose;
    }

    /** Ends it: no call reaches the listener afterwards. */
    public void close() {
        if (!closed) {
            closed = true;
            heldBack.clear();
            query.leave(this);
            onClose.accept(this);
        }
    }

    boolean isClosed() {
        return closed;
    }

    LiveQuery query() {
        return query;
    }

    Context home() {
        return home;
    }

    /** Returns the class of its query. */
    String bucket() {
        return request.bucket();
    }

    Caller caller() {
        return request.caller();
    }

    /**
     * Delays all calls until {@link #trust}, because a rights check has started; once for each
     * check.
     */
    void doubt() {
        heldBack.addLast(new ArrayList<>());
    }

    /**
     * Confirms the rights of the oldest check; delivers the calls since then, up to the next check.
     */
    void trust() {
        List<Runnable> sinceThen = Objects.requireNonNullElse(heldBack.pollFirst(), List.of());
        sinceThen.forEach(this::tellNow);
    }

    /**
     * Compares events with the client's view at {@code place} until {@link #settle}.
     *
     * @param whenSettled receives the number of the result that the client has then
     */
    void begin(ClientView knowledge, EventId place, LongConsumer whenSettled) {
        told = knowledge;
        onSettled = whenSettled;
        last = place.withResult(knowledge.number());
    }

    /**
     * Ends the comparison, because every write that the initial result could include early has been
     * matched.
     *
     * @return the number of a result that a client which left early may resume with
     */
    Optional<Long> settle() {
        if (told == null || last == null) {
            return Optional.empty();
        }
        long number = told.number();
        return closed ? Optional.of(number) : settle(number, last.withResult(0));
    }

    private Optional<Long> settle(long number, EventId settled) {
        told = null;
        last = settled;
        onSettled.accept(number);
        tell(() -> listener.onProgress(settled));
        return Optional.empty();
    }

    void sendResult(EventId id, List<StoredObject> result) {
        EventId place = place(id);
        last = place;
        tell(() -> listener.onResult(place, result));
    }

    void sendRows(EventId id, Buffer rows) {
        last = id;
        tell(() -> listener.onRows(id, rows));
    }

    void sendReady(EventId id) {
        last = id;
        tell(() -> listener.onReady(id));
    }

    void sendError(ApiException failure) {
        if (!closed) {
            close();
            attempt(() -> listener.onError(failure));
        }
    }

    void send(LiveEvent event) {
        EventId place = place(event.id());
        last = place;
        (told == null ? Optional.of(event) : told.tell(event))
                .filter(news ->
                        selection().includes(news.type(), news.match().write().operation()))
                .ifPresent(news ->
                        tell(() -> listener.onMatch(news, place, selection().name(news.type()))));
    }

    private EventSelection selection() {
        return request.selection();
    }

    private void tell(Runnable call) {
        if (heldBack.isEmpty()) {
            tellNow(call);
        } else {
            heldBack.getLast().add(call);
        }
    }

    private void tellNow(Runnable call) {
        if (!closed) {
            attempt(call);
        }
    }

    private void attempt(Runnable call) {
        try {
            call.run();
        } catch (RuntimeException failure) {
            log.error("A subscriber of {} failed; its subscription ends", request.bucket(), failure);
            sendError(ApiException.of(failure));
        }
    }

    private EventId place(EventId id) {
        return told == null ? id : id.withResult(told.number());
    }
}
