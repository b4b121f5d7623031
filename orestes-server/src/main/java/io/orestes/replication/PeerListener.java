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
    private static final int LARGEST_MESSAGE = 20 << 20;

    private static final int LARGEST_FRAME = 64 << 10;
    private static final int LONGEST_LINE = 256;
    private static final int MOST_HEADER_BYTES = 4 << 10;
    private static final int MOST_STRANGERS = 200;

    private final Vertx vertx;
    private final HttpServer server;
    private final InboundHandler inboundHandler;
    private final Duration patience;
    private final Set<HttpConnection> strangers = ConcurrentHashMap.newKeySet();
    private final Set<InboundConnection> visitors = ConcurrentHashMap.newKeySet();

    /**
     * The handler of inbound connections: it supplies the handshake and this server's identity, and
     * processes messages.
     */
    interface InboundHandler {

        PeerHandshake greeting();

        /** Returns this server's present identity, or a placeholder while it is no member. */
        String self();

        /** Processes a message of a member; the outcome is sent as the acknowledgement. */
        Future<DeliveryOutcome> hear(String member, PeerMessage peerMessage);
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
                .setMaxInitialLineLength(LONGEST_LINE)
                .setMaxHeaderSize(MOST_HEADER_BYTES)
                .setPerFrameWebSocketCompressionSupported(false)
                .setPerMessageWebSocketCompressionSupported(false)
                .setMaxWebSocketFrameSize(LARGEST_FRAME)
                .setMaxWebSocketMessageSize(LARGEST_MESSAGE);
    }

    /** Starts to listen and returns the port. */
    Future<Integer> open(String address, int port) {
        return server.listen(port, address).map(HttpServer::actualPort);
    }

    Future<Void> close() {
        return server.close();
    }

    /** Closes the connections of ended members. */
    void hangUp(Predicate<String> whom) {
        visitors.stream()
                .filter(inboundConnection ->
                        inboundConnection.member().filter(whom).isPresent())
                .forEach(InboundConnection::hangUp);
    }

    private void admit(HttpConnection connection) {
        if (strangers.size() >= MOST_STRANGERS) {
            log.debug("Too many connections are not authenticated yet");
            var unused = connection.close();
            return;
        }
        strangers.add(connection);
        long unused = vertx.setTimer(patience.toMillis(), late -> {
            if (strangers.remove(connection)) {
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
                        new InboundConnection(vertx, socket, inboundHandler, on(connection), patience).begin())
                .onFailure(failure -> log.debug("The WebSocket handshake failed", failure));
    }

    private InboundConnection.InboundListener on(HttpConnection connection) {
        return new InboundConnection.InboundListener() {
            /**
             * Closes earlier connections of the member, because further messages on them would come
             * too late.
             */
            @Override
            public void entered(InboundConnection inboundConnection) {
                strangers.remove(connection);
                hangUp(member ->
                        inboundConnection.member().filter(member::equals).isPresent());
                visitors.add(inboundConnection);
            }

            @Override
            public void left(InboundConnection inboundConnection) {
                strangers.remove(connection);
                visitors.remove(inboundConnection);
            }
        };
    }
}
