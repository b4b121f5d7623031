package io.orestes.live;

import io.orestes.auth.token.Caller;
import io.orestes.live.event.ClientView;
import io.orestes.live.event.EventId;
import io.orestes.live.event.EventSelection;
import io.orestes.live.event.LiveEvent;
import io.orestes.live.request.SubscriptionRequest;
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
    private final Deque<List<Runnable>> suspended = new ArrayDeque<>();

    private @Nullable ClientView clientView;
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
            suspended.clear();
            query.remove(this);
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
     * Delays all calls until {@link #resume}, because a rights check has started; once for each
     * check.
     */
    void suspend() {
        suspended.addLast(new ArrayList<>());
    }

    /**
     * Confirms the rights of the oldest check; delivers the calls since then, up to the next check.
     */
    void resume() {
        List<Runnable> sinceThen = Objects.requireNonNullElse(suspended.pollFirst(), List.of());
        sinceThen.forEach(this::deliverNow);
    }

    /**
     * Compares events with the client's view at {@code position} until {@link #confirmView}.
     *
     * @param whenSettled receives the number of the result that the client has then
     */
    void beginView(ClientView knowledge, EventId place, LongConsumer whenSettled) {
        clientView = knowledge;
        onSettled = whenSettled;
        last = place.withResult(knowledge.number());
    }

    /**
     * Ends the comparison, because every write that the initial result could include early has been
     * matched.
     *
     * @return the number of a result that a client which left early may resume with
     */
    Optional<Long> confirmView() {
        if (clientView == null || last == null) {
            return Optional.empty();
        }
        long number = clientView.number();
        return closed ? Optional.of(number) : confirmView(number, last.withResult(0));
    }

    private Optional<Long> confirmView(long number, EventId settled) {
        clientView = null;
        last = settled;
        onSettled.accept(number);
        deliver(() -> listener.onProgress(settled));
        return Optional.empty();
    }

    void sendResult(EventId id, List<StoredObject> result) {
        EventId place = position(id);
        last = place;
        deliver(() -> listener.onResult(place, result));
    }

    void sendRows(EventId id, Buffer rows) {
        last = id;
        deliver(() -> listener.onRows(id, rows));
    }

    void sendReady(EventId id) {
        last = id;
        deliver(() -> listener.onReady(id));
    }

    void sendError(ApiException failure) {
        if (!closed) {
            close();
            attempt(() -> listener.onError(failure));
        }
    }

    void send(LiveEvent event) {
        EventId place = position(event.id());
        last = place;
        (clientView == null ? Optional.of(event) : clientView.apply(event))
                .filter(news ->
                        selection().includes(news.type(), news.match().write().operation()))
                .ifPresent(news ->
                        deliver(() -> listener.onMatch(news, place, selection().name(news.type()))));
    }

    private EventSelection selection() {
        return request.options().selection();
    }

    private void deliver(Runnable call) {
        if (suspended.isEmpty()) {
            deliverNow(call);
        } else {
            suspended.getLast().add(call);
        }
    }

    private void deliverNow(Runnable call) {
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

    private EventId position(EventId id) {
        return clientView == null ? id : id.withResult(clientView.number());
    }
}
