package io.orestes.socket;

import io.netty.handler.codec.http.websocketx.CorruptedWebSocketFrameException;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.orestes.json.JsonReader;
import io.orestes.live.LiveEvent;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.read.JsonRenderer;
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
import java.util.Optional;
import java.util.function.Consumer;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * One WebSocket connection with its subscriptions (protocol §18). Runs on its connection's event
 * loop. The unsent bytes are bounded: a client that reads too slowly is disconnected, and no other
 * client is affected.
 */
final class WebSocketSession {

    private static final short POLICY_VIOLATION = 1008;

    private final Vertx vertx;
    private final Context home;
    private final ServerWebSocket socket;
    private final LiveServices services;
    private final Runnable hangUp;
    private final Consumer<WebSocketSession> onEnd;
    private final Map<String, WebSocketSubscription> subscriptions = new HashMap<>();
    private final SendBacklog sendBacklog;
    private final DeferredEvents late;
    private boolean isFilterUnderWay;
    private boolean ended;

    /** @param hangUp ends the connection whatever is unsent */
    WebSocketSession(
            Vertx vertx,
            Context home,
            ServerWebSocket socket,
            LiveServices services,
            Runnable hangUp,
            Consumer<WebSocketSession> onEnd) {
        this.vertx = vertx;
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
                this::breakOff));
        socket.closeHandler(closed -> end());
        socket.exceptionHandler(this::broken);
    }

    /** Frames that cannot be read say why; in any other case the connection is gone. */
    private void broken(Throwable failure) {
        if (failure instanceof CorruptedWebSocketFrameException corrupted) {
            breakOff(corrupted.closeStatus());
        } else {
            end();
        }
    }

    /** The client is told why, and nothing else is read. */
    private void breakOff(WebSocketCloseStatus status) {
        if (!ended) {
            end();
            var ignored = socket.close((short) status.code(), status.reasonText());
        }
    }

    /**
     * Ends the connection because of the server: clients subscribe anew, which they would not after
     * an error.
     */
    void leave() {
        breakOff(WebSocketCloseStatus.ENDPOINT_UNAVAILABLE);
    }

    /** Keeps the connection open through proxies, and finds out when it is gone. */
    void ping() {
        if (!ended) {
            socket.writePing(Buffer.buffer()).onFailure(gone -> end());
        }
    }

    /**
     * Sends what one subscription has to say after the time a writer needs to get its answer first,
     * which begins when that is on its way; in the order of calls.
     */
    void sendLater(WebSocketSubscription subscription, LiveEvent event, Buffer message) {
        late.add(services.live().answered(event), message.length(), () -> sendSoon(subscription, message));
        closeIfSlow();
    }

    private void sendSoon(WebSocketSubscription subscription, Buffer message) {
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
        if (services.answers().take(bytes)) {
            Future<Void> sent = socket.writeTextMessage(result.toString());
            sendBacklog.addResult(bytes, sent);
            services.answers().follow(bytes, sent, hangUp);
            closeIfSlow();
        } else {
            subscription.close();
            sendError(subscription, ResponseBudget.full());
        }
    }

    /**
     * Tells the client that a subscription ended, and forgets it, unless the client has ended it
     * meanwhile.
     */
    void sendError(WebSocketSubscription subscription, ApiException failure) {
        if (subscriptions.remove(subscription.id(), subscription)) {
            send(error(Optional.of(subscription.id()), failure));
        }
    }

    JsonRenderer rendering() {
        return services.rendering();
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

    /** What is wrong with a message that names a subscription ends no other. */
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
     * The filter of stale keys, so that a client which has a socket needs no request for it. Past
     * all caches, and one at a time, so that what is owed is bounded; it takes room like any
     * answer, and does not make a client slow that waits for it.
     */
    private void filter(String id, BsonDocument message) {
        if (isFilterUnderWay) {
            refuse(id, new ApiException(ErrorCode.TOO_MANY_REQUESTS, "A filter is under way on this connection"));
            return;
        }
        isFilterUnderWay = true;
        services.filter()
                .get()
                .onComplete(filter -> home.runOnContext(now -> {
                    isFilterUnderWay = false;
                    if (filter.succeeded()) {
                        sendFilter(
                                id,
                                BloomFilterMessage.of(rendering().json(new BsonString(id)), filter.result(), message));
                    } else {
                        refuse(id, ErrorFormat.reported(filter.cause(), "filter"));
                    }
                }));
    }

    private void sendFilter(String id, Buffer filter) {
        if (ended) {
            return;
        }
        if (!services.answers().take(filter.length())) {
            refuse(id, ResponseBudget.full());
            return;
        }
        isFilterUnderWay = true;
        Future<Void> sent = socket.writeTextMessage(filter.toString());
        services.answers().follow(filter.length(), sent, hangUp);
        sent.onComplete(done -> isFilterUnderWay = false);
    }

    /**
     * Pages see neither our pings nor theirs: by this answer they know that the connection lives.
     */
    private void pong(String id) {
        send(rendering().json(new BsonDocument("id", new BsonString(id)).append("type", new BsonString("pong"))));
    }

    private void refuse(String id, ApiException failure) {
        unsubscribe(id);
        send(error(Optional.of(id), failure));
    }

    /** A message that names no subscription ends all of them. */
    private void fail(ApiException failure) {
        List.copyOf(subscriptions.values()).forEach(WebSocketSubscription::close);
        subscriptions.clear();
        send(error(Optional.empty(), failure));
    }

    /**
     * An id that is taken ends the subscription that has it: the client could not tell the two
     * apart, and an error message ends what it names (protocol §18.3). All others go on.
     */
    private void subscribe(String id, BsonDocument message) {
        WebSocketSubscription known = subscriptions.get(id);
        if (known == null) {
            WebSocketSubscription subscription = new WebSocketSubscription(id, this);
            subscriptions.put(id, subscription);
            open(message, subscription)
                    .onFailure(failure -> sendError(subscription, ErrorFormat.reported(failure, "subscribe")));
        } else {
            known.close();
            sendError(known, new ApiException(ErrorCode.BAD_REQUEST, "There is a subscription " + id + " already"));
        }
    }

    private Future<Void> open(BsonDocument message, WebSocketSubscription subscription) {
        if (subscriptions.size() > services.config().maxPerSocket()) {
            return Future.failedFuture(new ApiException(
                    ErrorCode.TOO_MANY_REQUESTS,
                    "A connection may hold " + services.config().maxPerSocket() + " subscriptions"));
        }
        SubscribeMessage subscribe = new SubscribeMessage(message);
        return Future.succeededFuture()
                .compose(begun -> services.authenticator().caller(subscribe.authorization()))
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
            vertx.setTimer(ConnectionReset.FAREWELL.toMillis(), timer -> hangUp.run());
        }
    }

    /** Another subscription may have taken its id. */
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

    private Buffer error(Optional<String> id, ApiException failure) {
        BsonDocument message = new BsonDocument();
        id.ifPresent(known -> message.append("id", new BsonString(known)));
        message.append("type", new BsonString("error"))
                .append(
                        "date",
                        new BsonString(
                                Instant.now().truncatedTo(ChronoUnit.MILLIS).toString()))
                .append("error", ErrorFormat.of(failure));
        return rendering().json(message);
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
