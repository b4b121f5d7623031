package io.orestes.notify;

import io.orestes.model.ApiException;
import io.orestes.model.StoredObject;
import io.vertx.core.Context;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One subscriber of one live query. Belongs to the context it was opened from: whoever calls it from elsewhere goes through
 * that context.
 */
public final class Subscription {

    private final LiveQuery query;
    private final Context home;
    private final LiveListener listener;
    private final EventSelection selection;
    private @Nullable ToldResult told;
    private @Nullable EventId last;
    private boolean closed;

    Subscription(LiveQuery query, Context home, LiveListener listener, EventSelection selection) {
        this.query = query;
        this.home = home;
        this.listener = listener;
        this.selection = selection;
    }

    /** Ends it: no call reaches the listener afterwards. */
    public void close() {
        if (!closed) {
            closed = true;
            query.leave(this);
        }
    }

    Context home() {
        return home;
    }

    /** Until it settles, events are held against what the client knows at {@code place}. */
    void begin(ToldResult knowledge, EventId place) {
        told = knowledge;
        last = place.withResult(knowledge.number());
    }

    /**
     * Every write that the initial result could have seen early has been matched by now.
     *
     * @return the number of a result that the client may come back with, having left before it was told so
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
        query.forgetResult(number);
        listener.onProgress(settled);
        return Optional.empty();
    }

    void sendResult(EventId id, List<StoredObject> result) {
        if (!closed) {
            last = place(id);
            listener.onResult(place(id), result);
        }
    }

    void sendReady(EventId id) {
        if (!closed) {
            last = id;
            listener.onReady(id);
        }
    }

    void sendError(ApiException failure) {
        if (!closed) {
            close();
            listener.onError(failure);
        }
    }

    void send(LiveEvent event) {
        if (!closed) {
            last = place(event.id());
            (told == null ? Optional.of(event) : told.tell(event)).ifPresent(this::deliver);
        }
    }

    private void deliver(LiveEvent event) {
        if (selection.includes(event.type(), event.match().write().operation())) {
            listener.onMatch(event, place(event.id()), selection.name(event.type()));
        }
    }

    private EventId place(EventId id) {
        return told == null ? id : id.withResult(told.number());
    }
}
