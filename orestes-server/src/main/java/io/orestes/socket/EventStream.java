package io.orestes.socket;

import io.orestes.live.Subscription;
import io.orestes.live.SubscriptionListener;
import io.orestes.live.event.EventId;
import io.orestes.live.event.LiveEvent;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.StoredObject;
import io.orestes.read.response.JsonRenderer;
import io.orestes.wire.ErrorFormat;
import io.orestes.wire.ResponseBudget;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One live query on one {@code text/event-stream} response (WHATWG HTML §9.2). It sends {@code
 * result}, {@code match} and {@code error} events, each with an id to resume from. Runs on its
 * connection's event loop. The unsent bytes are bounded: a client that reads too slowly gets an
 * error and is disconnected.
 */
final class EventStream implements SubscriptionListener {

    private static final Buffer HEARTBEAT = Buffer.buffer(":\n\n");

    private final Vertx vertx;
    private final HttpServerRequest request;
    private final HttpServerResponse response;
    private final JsonRenderer jsonRenderer;
    private final ResponseBudget answers;
    private final SendBacklog sendBacklog;
    private final Consumer<EventStream> onEnd;
    private EventId last = new EventId("0000000000000000", 0, 0);
    private @Nullable Subscription subscription;
    private boolean ended;

    EventStream(Vertx vertx, HttpServerRequest request, LiveServices services, Consumer<EventStream> onEnd) {
        this.vertx = vertx;
        this.request = request;
        this.response = request.response();
        this.jsonRenderer = services.jsonRenderer();
        this.answers = services.responseBudget();
        this.sendBacklog = new SendBacklog(services.config().maxPendingBytes());
        this.onEnd = onEnd;
    }

    /**
     * Prepares the head of the response; until the subscription succeeds it may still become that
     * of an error.
     */
    void prepareHead() {
        response.setChunked(true)
                .putHeader(HttpHeaders.CONTENT_TYPE, "text/event-stream;charset=utf-8")
                .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
                .putHeader("X-Accel-Buffering", "no")
                .putHeader("Orestes-Cache", "bypass");
    }

    /**
     * Takes the subscription, which is closed when the client disconnects, even if it has done so
     * already. Confirms the subscription to the client, even without events.
     */
    void attach(Subscription opened) {
        subscription = opened;
        if (ended) {
            opened.close();
        } else if (!response.headWritten()) {
            write(HEARTBEAT);
        }
    }

    /** Ends the stream of a closed or closing connection. */
    void end() {
        if (!ended) {
            ended = true;
            if (subscription != null) {
                subscription.close();
            }
            onEnd.accept(this);
        }
    }

    void heartbeat() {
        if (response.headWritten()) {
            write(HEARTBEAT);
        }
    }

    @Override
    public void onResult(EventId id, List<StoredObject> result) {
        onRows(id, ended ? Buffer.buffer() : jsonRenderer.array(result));
    }

    @Override
    public void onRows(EventId id, Buffer rows) {
        last = id;
        if (!ended) {
            result(event(id, "result", rows));
        }
    }

    private void result(Buffer frame) {
        int bytes = frame.length();
        if (answers.tryReserve(bytes)) {
            Future<Void> sent = response.write(frame);
            sendBacklog.addResult(bytes, sent);
            answers.track(bytes, sent, this::reset);
        } else {
            onError(ResponseBudget.exhausted());
        }
    }

    @Override
    public void onReady(EventId id) {
        last = id;
        write(Buffer.buffer("id: " + id + "\n: subscribed\n\n"));
    }

    @Override
    public void onMatch(LiveEvent event, EventId id, String matchType) {
        last = id;
        write(
                id.isResultShared()
                        ? event.frame("sse-" + matchType, each -> matchFrame(each, id, matchType))
                        : matchFrame(event, id, matchType));
    }

    /**
     * Sends a block without data, which only moves the client's last event id (WHATWG HTML §9.2.6).
     */
    @Override
    public void onProgress(EventId id) {
        last = id;
        write(Buffer.buffer("id: " + id + "\n\n"));
    }

    @Override
    public void onError(ApiException failure) {
        if (ended) {
            return;
        }
        response.write(event(last, "error", jsonRenderer.json(ErrorFormat.of(failure))))
                .onSuccess(sent -> response.end());
        endInTime();
    }

    /**
     * Ends the response on shutdown: clients reconnect from their last event, which they would not
     * after an error.
     */
    void disconnect() {
        if (!ended) {
            var ignored = response.end();
            endInTime();
        }
    }

    private void endInTime() {
        vertx.setTimer(ConnectionAborter.CLOSE_TIMEOUT.toMillis(), timer -> reset());
        end();
    }

    private void write(Buffer frame) {
        if (ended) {
            return;
        }
        sendBacklog.add(frame.length(), response.write(frame));
        if (sendBacklog.isTooLarge()) {
            onError(new ApiException(
                    ErrorCode.TOO_MANY_REQUESTS,
                    "The subscriber reads too slowly: " + sendBacklog.bytes() + " bytes are unread"));
        }
    }

    /** Disconnects a client that has not read even the last event. */
    private void reset() {
        if (!response.closed() && !response.ended()) {
            ConnectionAborter.on(request);
        }
    }

    private static Buffer matchFrame(LiveEvent event, EventId id, String matchType) {
        Buffer data = Buffer.buffer(160 + event.data().length())
                .appendString("{\"matchType\":\"")
                .appendString(matchType)
                .appendString("\",\"operation\":\"")
                .appendString(event.operation())
                .appendString("\"")
                .appendString(EventIndexMember.of(event))
                .appendString(",\"date\":\"")
                .appendString(event.date().toString())
                .appendString("\",\"data\":")
                .appendBuffer(event.data())
                .appendString("}");
        return event(id, "match", data);
    }

    /** Formats an event. JSON text has no line breaks, so one data line is enough. */
    private static Buffer event(EventId id, String name, Buffer data) {
        return Buffer.buffer(64 + data.length())
                .appendBytes(("id: " + id + "\nevent: " + name + "\ndata: ").getBytes(StandardCharsets.US_ASCII))
                .appendBuffer(data)
                .appendString("\n\n");
    }
}
