package io.orestes.socket;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.impl.ConnectionBase;
import java.time.Duration;

/**
 * The reset of a connection whose peer does not read, which discards all unsent data. Ordinary ways
 * to close wait until the peer has read the unsent data, and such a peer never does. The reset
 * drops the data here and in the kernel, and the peer sees a reset (RFC 9293 §3.10.5).
 */
public final class ConnectionAborter {

    /** Time for a disconnected client to receive the last message. */
    static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    private ConnectionAborter() {}

    /**
     * Resets a response now. An HTTP/2 connection carries others, too, and a reset needs no space
     * in this stream's window.
     */
    public static void on(HttpServerRequest request) {
        if (request.version() == HttpVersion.HTTP_2) {
            var unused = request.response().reset();
        } else {
            on(request.connection());
        }
    }

    /**
     * Resets the connection now. Vert.x has no public way: its own close goes through the handlers,
     * which flush first.
     */
    static void on(HttpConnection connection) {
        if (connection instanceof ConnectionBase base) {
            drop(base.channel());
        } else {
            var unused = connection.close();
        }
    }

    /** Drops the unsent data. The head of the pipeline has no handler in front of the socket. */
    private static void drop(Channel channel) {
        if (channel.isOpen()) {
            boolean unused = channel.config().setOption(ChannelOption.SO_LINGER, 0);
            var ignored = channel.pipeline().firstContext().close();
        }
    }
}
