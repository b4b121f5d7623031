package io.orestes.support.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.server.ServerProcess;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;

/** A WebSocket for live queries (protocol §18) that queues received messages for the test. */
public final class LiveSocket implements AutoCloseable {

    private static final long PATIENCE_SECONDS = 30;
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final BlockingQueue<BsonDocument> messages = new LinkedBlockingQueue<>();
    private final List<String> received = Collections.synchronizedList(new ArrayList<>());
    private final CompletableFuture<Integer> closed = new CompletableFuture<>();
    private final WebSocket socket;

    private LiveSocket(URI address) {
        socket = HTTP.newWebSocketBuilder().buildAsync(address, new Listener()).join();
    }

    public static LiveSocket open(ServerProcess server) {
        return open(server.base());
    }

    /**
     * Opens a socket to a server that was started elsewhere; {@code base} is scheme, host and port.
     */
    public static LiveSocket open(URI base) {
        return new LiveSocket(URI.create("ws://" + base.getAuthority() + "/v1/events"));
    }

    public void send(String text) {
        socket.sendText(text, true).join();
    }

    public void sendBinary(byte[] bytes) {
        socket.sendBinary(ByteBuffer.wrap(bytes), true).join();
    }

    /** Subscribes to a query of a class; {@code more} are further members, each after a comma. */
    public void subscribe(String id, String bucket, String filter, String more) {
        send("{\"id\":\"%s\",\"type\":\"subscribe\",\"bucket\":\"%s\",\"query\":\"%s\",\"initial\":true%s}"
                .formatted(id, bucket, filter.replace("\"", "\\\""), more));
    }

    public void unsubscribe(String id) {
        send("{\"id\":\"" + id + "\",\"type\":\"unsubscribe\"}");
    }

    /** Waits for the next message of any subscription. */
    public BsonDocument next() throws InterruptedException {
        BsonDocument message = messages.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
        if (message == null) {
            throw new AssertionError("no message within " + PATIENCE_SECONDS + " s");
        }
        return message;
    }

    /**
     * Waits for the next message, which has to be a match, and returns its summary: subscription,
     * match type, operation, object.
     */
    public String nextMatch() throws InterruptedException {
        BsonDocument match = next();
        assertThat(match.getString("type").getValue()).as(match.toString()).isEqualTo("match");
        return "%s %s %s %s"
                .formatted(
                        match.getString("id").getValue(),
                        match.getString("matchType").getValue(),
                        match.getString("operation").getValue(),
                        match.getDocument("data").getString("id").getValue());
    }

    /** Waits for the next message, which has to be an error, and returns its status. */
    public int nextError() throws InterruptedException {
        BsonDocument error = next();
        assertThat(error.getString("type").getValue()).as(error.toString()).isEqualTo("error");
        assertThat(error.getDocument("error").getString("message").getValue()).isNotBlank();
        assertThat(error.getDocument("error").getString("reason").getValue()).isNotBlank();
        return error.getDocument("error").getNumber("status").intValue();
    }

    /**
     * Waits until the server closes the connection, and returns its close status (RFC 6455 §7.4).
     */
    public int closeStatus() throws Exception {
        return closed.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    public boolean isSilent() {
        return messages.isEmpty();
    }

    /**
     * Closes the socket and checks that every frame conforms to the schema, whatever the test is
     * about.
     */
    @Override
    public void close() {
        socket.abort();
        List.copyOf(received).forEach(MessageSchema.SERVER::check);
    }

    /** Puts whole messages into the queue. */
    private final class Listener implements WebSocket.Listener {

        private final StringBuilder parts = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
            parts.append(data);
            if (last) {
                received.add(parts.toString());
                messages.add(BsonDocument.parse(parts.toString()));
                parts.setLength(0);
            }
            return WebSocket.Listener.super.onText(from, data, last);
        }

        @Override
        public CompletionStage<?> onClose(WebSocket from, int status, String reason) {
            closed.complete(status);
            return CompletableFuture.completedStage(null);
        }
    }
}
