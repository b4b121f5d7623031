package io.orestes.replication;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The WebSocket listener that accepts connections from other members and limits those not yet
 * authenticated. A caller that does not authenticate itself in time is disconnected. Runs on one
 * event loop.
 */
final class PeerListener {

    private static final Logger log = LoggerFactory.getLogger(PeerListener.class);

    /**
     * Maximum size of a WebSocket message in bytes. A document has 16 MB at most, and no message
     * starts with more than a quarter of one beside it.
     */
    private static final int MAX_MESSAGE_BYTES = 20 << 20;

    private static final int MAX_FRAME_BYTES = 64 << 10;
    private static final int MAX_LINE_BYTES = 256;
    private static final int MAX_HEADER_BYTES = 4 << 10;
    private static final int MAX_UNAUTHENTICATED = 200;

    private final Vertx vertx;
    private final HttpServer server;
    private final InboundHandler inboundHandler;
    private final Duration patience;
    private final Set<HttpConnection> unauthenticated = ConcurrentHashMap.newKeySet();
    private final Set<InboundConnection> connections = ConcurrentHashMap.newKeySet();

    /**
     * The handler of inbound connections: it supplies the handshake and this server's identity, and
     * processes messages.
     */
    interface InboundHandler {

        PeerHandshake handshake();

        /** Returns this server's present identity, or a placeholder while it is no member. */
        String self();

        /** Processes a message of a member; the outcome is sent as the acknowledgement. */
        Future<DeliveryOutcome> receive(String member, PeerMessage peerMessage);
    }

    /**
     * @param patience time limit of a handshake, and maximum time in which members read none of
     * their acknowledgements
     */
    PeerListener(Vertx vertx, InboundHandler inboundHandler, Duration patience) {
        this.vertx = vertx;
        this.inboundHandler = inboundHandler;
        this.patience = patience;
        this.server =
                vertx.createHttpServer(options()).connectionHandler(this::admit).requestHandler(this::enter);
    }

    static HttpServerOptions options() {
        return new HttpServerOptions()
                // Otherwise the connection handler is called only after the first data.
                .setHttp2ClearTextEnabled(false)
                .setMaxInitialLineLength(MAX_LINE_BYTES)
                .setMaxHeaderSize(MAX_HEADER_BYTES)
                .setPerFrameWebSocketCompressionSupported(false)
                .setPerMessageWebSocketCompressionSupported(false)
                .setMaxWebSocketFrameSize(MAX_FRAME_BYTES)
                .setMaxWebSocketMessageSize(MAX_MESSAGE_BYTES);
    }

    /** Starts to listen and returns the port. */
    Future<Integer> open(String address, int port) {
        return server.listen(port, address).map(HttpServer::actualPort);
    }

    Future<Void> close() {
        return server.close();
    }

    /** Closes the connections of the members that {@code filter} accepts. */
    void disconnect(Predicate<String> filter) {
        connections.stream()
                .filter(inboundConnection ->
                        inboundConnection.member().filter(filter).isPresent())
                .forEach(InboundConnection::close);
    }

    private void admit(HttpConnection connection) {
        if (unauthenticated.size() >= MAX_UNAUTHENTICATED) {
            log.debug("Too many connections are not authenticated yet");
            var unused = connection.close();
            return;
        }
        unauthenticated.add(connection);
        long unused = vertx.setTimer(patience.toMillis(), late -> {
            if (unauthenticated.remove(connection)) {
                var unusedClosing = connection.close();
            }
        });
    }

    private void enter(HttpServerRequest request) {
        HttpConnection connection = request.connection();
        if (!"websocket".equalsIgnoreCase(request.getHeader("Upgrade"))) {
            var unused = request.response().setStatusCode(404).end();
            return;
        }
        request.toWebSocket()
                .onSuccess(socket ->
                        new InboundConnection(vertx, socket, inboundHandler, on(connection), patience).start())
                .onFailure(failure -> log.debug("The WebSocket handshake failed", failure));
    }

    private InboundConnection.InboundListener on(HttpConnection connection) {
        return new InboundConnection.InboundListener() {
            /**
             * Closes earlier connections of the member, because further messages on them would come
             * too late.
             */
            @Override
            public void onAuthenticated(InboundConnection inboundConnection) {
                unauthenticated.remove(connection);
                disconnect(member ->
                        inboundConnection.member().filter(member::equals).isPresent());
                connections.add(inboundConnection);
            }

            @Override
            public void onClosed(InboundConnection inboundConnection) {
                unauthenticated.remove(connection);
                connections.remove(inboundConnection);
            }
        };
    }
}
