package io.orestes.socket;

import io.orestes.live.Subscription;
import io.orestes.live.SubscriptionListener;
import io.orestes.live.event.EventId;
import io.orestes.live.event.LiveEvent;
import io.orestes.model.ApiException;
import io.orestes.model.StoredObject;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;

/**
 * One subscription of a WebSocket, which turns live events into messages with its id (protocol
 * §18.3).
 */
final class WebSocketSubscription implements SubscriptionListener {

    private final String id;
    private final WebSocketConnection connection;
    private @Nullable Subscription subscription;
    private boolean closed;

    WebSocketSubscription(String id, WebSocketConnection connection) {
        this.id = id;
        this.connection = connection;
    }

    String id() {
        return id;
    }

    /** Attaches the live query's side, unless the client has disconnected meanwhile. */
    void attach(Subscription opened) {
        subscription = opened;
        if (closed) {
            opened.close();
        }
    }

    void close() {
        closed = true;
        if (subscription != null) {
            subscription.close();
        }
    }

    @Override
    public void onResult(EventId event, List<StoredObject> result) {
        onRows(event, connection.rendering().array(result));
    }

    @Override
    public void onRows(EventId event, Buffer rows) {
        connection.sendResult(
                this,
                message("result", Instant.now().truncatedTo(ChronoUnit.MILLIS))
                        .appendString(",\"data\":")
                        .appendBuffer(rows)
                        .appendString("}"));
    }

    /**
     * Sends the result. A subscription is answered by exactly one message, so an empty result
     * confirms it.
     */
    @Override
    public void onReady(EventId event) {
        onResult(event, List.of());
    }

    @Override
    public void onMatch(LiveEvent event, EventId id, String matchType) {
        Buffer rest = event.frame("socket-" + matchType, each -> rest(each, matchType));
        connection.sendDeferred(this, event, message("match", event.date()).appendBuffer(rest));
    }

    /** Ignored, since sockets are not resumed. */
    @Override
    public void onProgress(EventId id) {}

    @Override
    public void onError(ApiException failure) {
        closed = true;
        connection.sendError(this, failure);
    }

    private Buffer message(String type, Instant date) {
        return Buffer.buffer("{\"id\":")
                .appendBuffer(connection.rendering().json(new BsonString(id)))
                .appendString(",\"type\":\"" + type + "\",\"date\":\"" + date + "\"");
    }

    private static Buffer rest(LiveEvent event, String matchType) {
        return Buffer.buffer(",\"matchType\":\"" + matchType + "\",\"operation\":\"" + event.operation() + "\""
                        + EventIndexMember.of(event) + ",\"data\":")
                .appendBuffer(event.data())
                .appendString("}");
    }
}
