package io.orestes.socket;

import io.netty.handler.codec.http.websocketx.CorruptedWebSocketFrameException;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.orestes.json.JsonReader;
import io.orestes.live.event.LiveEvent;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.read.response.JsonRenderer;
import io.orestes.wire.ErrorFormat;
import io.orestes.wire.ResponseBudget;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ServerWebSocket;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * One WebSocket connection with its subscriptions (protocol §18). Runs on its connection's event
 * loop. The unsent bytes are bounded: a client that reads too slowly is disconnected, and no other
 * client is affected.
 */
final class WebSocketConnection {

    private static final short POLICY_VIOLATION = 1008;

    private final Vertx vertx;
    private final Context home;
    private final ServerWebSocket socket;
    private final LiveServices services;
    private final Runnable hangUp;
    private final Consumer<WebSocketConnection> onEnd;
    private final Map<String, WebSocketSubscription> subscriptions = new HashMap<>();
    private final SendBacklog sendBacklog;
    private final DeferredEvents late;
    private boolean isFilterUnderWay;
    private boolean ended;

    /** @param hangUp resets the connection, unsent data included */
    WebSocketConnection(
            Context home,
            ServerWebSocket socket,
            LiveServices services,
            Runnable hangUp,
            Consumer<WebSocketConnection> onEnd) {
        this.vertx = home.owner();
        this.home = home;
        this.socket = socket;
        this.services = services;
        this.hangUp = hangUp;
        this.onEnd = onEnd;
        this.sendBacklog = new SendBacklog(services.config().maxPendingBytes());
        this.late = new DeferredEvents(vertx, home);
    }

    void begin() {
        socket.frameHandler(new MessageAssembler(
                WebSocketRoutes.MAX_MESSAGE_BYTES,
                this::accept,
                () -> fail(new ApiException(ErrorCode.BAD_REQUEST, "Messages are text frames")),
                this::close));
        socket.closeHandler(closed -> end());
        socket.exceptionHandler(this::onFailure);
    }

    /**
     * Handles a broken connection. An unreadable frame is answered by a status; in any other case
     * the connection is closed already.
     */
    private void onFailure(Throwable failure) {
        if (failure instanceof CorruptedWebSocketFrameException corrupted) {
            close(corrupted.closeStatus());
        } else {
            end();
        }
    }

    /** Closes the connection with a status for the client; nothing else is read. */
    private void close(WebSocketCloseStatus status) {
        if (!ended) {
            end();
            var ignored = socket.close((short) status.code(), status.reasonText());
        }
    }

    /**
     * Closes the connection on shutdown: clients subscribe again, which they would not after an
     * error.
     */
    void disconnect() {
        close(WebSocketCloseStatus.ENDPOINT_UNAVAILABLE);
    }

    /** Sends a ping, which keeps the connection open through proxies, and detects its loss. */
    void ping() {
        if (!ended) {
            socket.writePing(Buffer.buffer()).onFailure(failure -> end());
        }
    }

    /**
     * Sends an event some time after the response to the write that caused it is sent, so that the
     * writer receives the response first; in the order of calls.
     */
    void sendDeferred(WebSocketSubscription subscription, LiveEvent event, Buffer message) {
        late.add(services.live().awaitAcknowledged(event), message.length(), () -> sendDelayed(subscription, message));
        closeIfSlow();
    }

    private void sendDelayed(WebSocketSubscription subscription, Buffer message) {
        vertx.setTimer(services.config().socketDelay().toMillis(), timer -> {
            if (isOpen(subscription)) {
                send(message);
            }
        });
    }

    /** Sends a subscription's result, unless the client has ended it meanwhile. */
    void sendResult(WebSocketSubscription subscription, Buffer message) {
        if (isOpen(subscription)) {
            write(subscription, message);
        }
    }

    private void write(WebSocketSubscription subscription, Buffer result) {
        int bytes = result.length();
        if (services.responseBudget().tryReserve(bytes)) {
            Future<Void> sent = socket.writeTextMessage(result.toString());
            sendBacklog.addResult(bytes, sent);
            services.responseBudget().track(bytes, sent, hangUp);
            closeIfSlow();
        } else {
            subscription.close();
            sendError(subscription, ResponseBudget.exhausted());
        }
    }

    /**
     * Sends the error that ends a subscription, and removes it, unless the client has ended it
     * meanwhile.
     */
    void sendError(WebSocketSubscription subscription, ApiException failure) {
        if (subscriptions.remove(subscription.id(), subscription)) {
            send(error(subscription.id(), failure));
        }
    }

    JsonRenderer rendering() {
        return services.jsonRenderer();
    }

    private void accept(String text) {
        if (!ended) {
            handle(text);
        }
    }

    private void handle(String text) {
        try {
            handle(document(text));
        } catch (ApiException failure) {
            fail(failure);
        }
    }

    /**
     * Handles a message. An error in a message that names a subscription ends no other
     * subscription.
     */
    private void handle(BsonDocument message) {
        String id = text(message, "id");
        switch (message.get("type") instanceof BsonString type ? type.getValue() : "") {
            case "subscribe" -> subscribe(id, message);
            case "unsubscribe" -> unsubscribe(id);
            case "ping" -> pong(id);
            case "bloomFilter" -> filter(id, message);
            default ->
                refuse(
                        id,
                        new ApiException(
                                ErrorCode.BAD_REQUEST, "A type is subscribe, unsubscribe, ping or bloomFilter"));
        }
    }

    /**
     * Sends the filter of stale keys, so that a client with a socket needs no request for it. It
     * bypasses all caches. Only one is sent at a time, so that the unsent bytes are bounded. It
     * counts in the response budget, and does not make its client slow.
     */
    private void filter(String id, BsonDocument message) {
        if (isFilterUnderWay) {
            refuse(id, new ApiException(ErrorCode.TOO_MANY_REQUESTS, "A filter is being sent on this connection"));
            return;
        }
        isFilterUnderWay = true;
        services.sketch()
                .get()
                .onComplete(filter -> home.runOnContext(now -> {
                    isFilterUnderWay = false;
                    if (filter.succeeded()) {
                        sendFilter(
                                id,
                                BloomFilterMessage.of(rendering().json(new BsonString(id)), filter.result(), message));
                    } else {
                        refuse(id, ErrorFormat.logAndConvert(filter.cause(), "filter"));
                    }
                }));
    }

    private void sendFilter(String id, Buffer filter) {
        if (ended) {
            return;
        }
        if (!services.responseBudget().tryReserve(filter.length())) {
            refuse(id, ResponseBudget.exhausted());
            return;
        }
        isFilterUnderWay = true;
        Future<Void> sent = socket.writeTextMessage(filter.toString());
        services.responseBudget().track(filter.length(), sent, hangUp);
        sent.onComplete(done -> isFilterUnderWay = false);
    }

    /**
     * Answers a ping of the page. Pages do not see the pings of the protocol: this answer shows
     * that the connection is open.
     */
    private void pong(String id) {
        send(rendering().json(new BsonDocument("id", new BsonString(id)).append("type", new BsonString("pong"))));
    }

    private void refuse(String id, ApiException failure) {
        unsubscribe(id);
        send(error(id, failure));
    }

    /** Handles an error in a message that names no subscription, which ends all of them. */
    private void fail(ApiException failure) {
        List.copyOf(subscriptions.values()).forEach(WebSocketSubscription::close);
        subscriptions.clear();
        send(error(failure));
    }

    /**
     * Subscribes a query. An id in use ends its present subscription: the client could not
     * distinguish the two, and an error message ends the subscription that it names (protocol
     * §18.3). All others continue.
     */
    private void subscribe(String id, BsonDocument message) {
        WebSocketSubscription known = subscriptions.get(id);
        if (known == null) {
            WebSocketSubscription subscription = new WebSocketSubscription(id, this);
            subscriptions.put(id, subscription);
            open(message, subscription)
                    .onFailure(failure -> sendError(subscription, ErrorFormat.logAndConvert(failure, "subscribe")));
        } else {
            known.close();
            sendError(known, new ApiException(ErrorCode.BAD_REQUEST, "There is a subscription " + id + " already"));
        }
    }

    private Future<Void> open(BsonDocument message, WebSocketSubscription subscription) {
        if (subscriptions.size() > services.config().maxPerSocket()) {
            return Future.failedFuture(new ApiException(
                    ErrorCode.TOO_MANY_REQUESTS,
                    "A connection may have " + services.config().maxPerSocket() + " subscriptions"));
        }
        SubscribeMessage subscribe = new SubscribeMessage(message);
        return Future.succeededFuture()
                .compose(begun -> services.authenticator()
                        .caller(subscribe.authorization().orElse(null)))
                .map(caller -> subscribe.request(caller, services.requests()))
                .compose(request -> services.live().open(request, subscription, home))
                .onSuccess(subscription::attach)
                .mapEmpty();
    }

    private void unsubscribe(String id) {
        WebSocketSubscription subscription = subscriptions.remove(id);
        if (subscription != null) {
            subscription.close();
        }
    }

    private void send(Buffer message) {
        if (!ended) {
            sendBacklog.add(message.length(), socket.writeTextMessage(message.toString()));
            closeIfSlow();
        }
    }

    private void closeIfSlow() {
        if (!ended && sendBacklog.isTooLarge(late.bytes())) {
            end();
            var ignored = socket.close(POLICY_VIOLATION, "reads too slowly");
            vertx.setTimer(ConnectionAborter.CLOSE_TIMEOUT.toMillis(), timer -> hangUp.run());
        }
    }

    /** Returns whether the subscription is open and its id is not in use by another one. */
    private boolean isOpen(WebSocketSubscription subscription) {
        return subscriptions.get(subscription.id()) == subscription;
    }

    private void end() {
        if (!ended) {
            ended = true;
            late.clear();
            List.copyOf(subscriptions.values()).forEach(WebSocketSubscription::close);
            subscriptions.clear();
            onEnd.accept(this);
        }
    }

    private Buffer error(String id, ApiException failure) {
        return rendering().json(error(new BsonDocument("id", new BsonString(id)), failure));
    }

    private Buffer error(ApiException failure) {
        return rendering().json(error(new BsonDocument(), failure));
    }

    private static BsonDocument error(BsonDocument message, ApiException failure) {
        String date = Instant.now().truncatedTo(ChronoUnit.MILLIS).toString();
        return message.append("type", new BsonString("error"))
                .append("date", new BsonString(date))
                .append("error", ErrorFormat.of(failure));
    }

    private static BsonDocument document(String text) {
        BsonValue message = JsonReader.read(text);
        if (!message.isDocument()) {
            throw new ApiException(ErrorCode.BAD_REQUEST, "A message is a JSON object");
        }
        return message.asDocument();
    }

    private static String text(BsonDocument message, String member) {
        if (!message.isString(member)) {
            throw new ApiException(ErrorCode.BAD_REQUEST, "A message needs the text " + member);
        }
        return message.getString(member).getValue();
    }
}
