package io.orestes.replication.link;

import io.orestes.coordination.Member;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClient;
import java.time.Duration;
import org.bson.BsonDocument;

/**
 * The first connections of a server, which lead to its own listener before other servers know of
 * it. The first TLS handshake of a process loads so many classes that it may take longer than other
 * members wait. The listener refuses each connection, as it is no member yet.
 */
final class TlsWarmUp {

    private static final int MAX_ATTEMPTS = 5;

    /** The part of the time limit for others that an attempt may take to count as quick. */
    private static final int QUICK_PART = 4;

    private final Vertx vertx;
    private final NetClient client;
    private final PeerTls tls;
    private final Duration timeout;

    /** @param timeout time limit of each attempt */
    TlsWarmUp(Vertx vertx, NetClient client, PeerTls tls, Duration timeout) {
        this.vertx = vertx;
        this.client = client;
        this.tls = tls;
        this.timeout = timeout;
    }

    /** Repeats until an attempt is quick. Succeeds in any case, also if nothing listens. */
    Future<Void> run(Member self) {
        return run(self, MAX_ATTEMPTS);
    }

    private Future<Void> run(Member self, int attempts) {
        Attempt attempt = new Attempt();
        return attempt.run(self)
                .compose(ended ->
                        attempts == 1 || attempt.isQuick() ? Future.succeededFuture() : run(self, attempts - 1));
    }

    /** One connection; it ends when the listener refuses it. */
    private final class Attempt implements OutboundConnection.OutboundListener {

        private final Promise<Void> end = Promise.promise();
        private final long startNanos = System.nanoTime();

        Future<Void> run(Member self) {
            new OutboundConnection(vertx, Member.entering(""), self, this).open(client, tls, timeout);
            return end.future();
        }

        boolean isQuick() {
            return System.nanoTime() - startNanos < timeout.toNanos() / QUICK_PART;
        }

        @Override
        public void onAuthenticated(FrameWriter frameWriter) {}

        @Override
        public void onFrame(BsonDocument frame) {}

        @Override
        public void onDrained() {}

        @Override
        public void onClosed() {
            end.complete();
        }
    }
}
