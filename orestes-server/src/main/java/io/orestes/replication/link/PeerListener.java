package io.orestes.replication.link;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.NetSocket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.bson.BsonDocument;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The TCP listener that accepts connections from other members and limits those not yet
 * authenticated. A caller that does not authenticate itself by TLS in time is disconnected. Runs on
 * one event loop.
 */
public final class PeerListener {

    private static final Logger log = LoggerFactory.getLogger(PeerListener.class);
    private static final int MAX_UNAUTHENTICATED = 200;

    private final Vertx vertx;
    private final PeerTls tls;
    private final NetServer server;
    private final Duration patience;
    private final Set<InboundConnection> unauthenticated = ConcurrentHashMap.newKeySet();
    private final Set<InboundConnection> connections = ConcurrentHashMap.newKeySet();

    /**
     * The handler of inbound connections: it supplies this server's identity and processes
     * messages.
     */
    public interface InboundHandler {

        /** Returns this server's present identity; empty while it is no member. */
        String self();

        /** Processes a message of a member; the outcome is sent as the acknowledgement. */
        Future<DeliveryOutcome> receive(String member, BsonDocument message);
    }

    /**
     * @param patience time limit of authentication, and maximum time in which members read none of
     *     their acknowledgements
     */
    public PeerListener(Vertx vertx, PeerTls tls, Duration patience) {
        this.vertx = vertx;
        this.tls = tls;
        this.patience = patience;
        this.server = vertx.createNetServer(new NetServerOptions().setSslEngineOptions(PeerTls.engine()));
    }

    /** Starts to listen and returns the port. */
    public Future<Integer> open(String address, int port, InboundHandler inboundHandler) {
        return server.connectHandler(socket -> accept(socket, inboundHandler))
                .listen(port, address)
                .map(NetServer::actualPort);
    }

    /** Stops to listen, and closes all connections. */
    public Future<Void> close() {
        return server.close();
    }

    /** Closes the connections of the members that {@code filter} accepts. */
    public void disconnect(Predicate<String> filter) {
        connections.stream()
                .filter(inboundConnection -> inboundConnection.isFrom(filter))
                .forEach(InboundConnection::close);
    }

    /** TLS begins after this, so that connections in the middle of their handshakes count, too. */
    private void accept(NetSocket socket, InboundHandler inboundHandler) {
        if (unauthenticated.size() >= MAX_UNAUTHENTICATED) {
            log.debug("Too many connections are not authenticated yet");
            var unused = socket.close();
            return;
        }
        InboundConnection inboundConnection =
                new InboundConnection(vertx, socket, inboundHandler, new ConnectionListener(), patience);
        unauthenticated.add(inboundConnection);
        inboundConnection.start(tls);
    }

    /** The listener of all connections. */
    private final class ConnectionListener implements InboundConnection.InboundListener {

        /**
         * Closes earlier connections of the member, because further messages on them would come too
         * late.
         */
        @Override
        public void onAuthenticated(InboundConnection inboundConnection, String member) {
            unauthenticated.remove(inboundConnection);
            disconnect(member::equals);
            connections.add(inboundConnection);
        }

        @Override
        public void onClosed(InboundConnection inboundConnection) {
            unauthenticated.remove(inboundConnection);
            connections.remove(inboundConnection);
        }
    }
}
