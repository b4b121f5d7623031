package io.orestes.caching.purge;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;
import io.vertx.core.parsetools.RecordParser;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A test double of a shared cache on loopback; it records purges and has a selectable behaviour.
 */
final class CacheDouble {

    /** Reaction of the cache to a purge. */
    enum Behaviour {
        ANSWERING,
        SILENT,
        DYING
    }

    private final Vertx vertx;
    private final String secret;
    private final List<String> purged = new CopyOnWriteArrayList<>();
    private volatile Behaviour mood = Behaviour.ANSWERING;
    private volatile String counts = "";
    private NetServer server;
    private int port;

    CacheDouble(Vertx vertx, String secret) {
        this.vertx = vertx;
        this.secret = secret;
        this.server = vertx.createNetServer();
    }

    VarnishTarget listen() {
        server = vertx.createNetServer().connectHandler(this::connected);
        port = server.listen(port, "127.0.0.1").await().actualPort();
        return new VarnishTarget("127.0.0.1", port);
    }

    void close() {
        server.close().await();
    }

    void become(Behaviour another) {
        mood = another;
    }

    /** Returns the purged paths in order, with a star if the purge covers everything below. */
    List<String> purged() {
        return purged;
    }

    private void connected(NetSocket socket) {
        socket.handler(RecordParser.newDelimited("\r\n\r\n", head -> asked(socket, head.toString())));
    }

    /** Sets the counters that the cache reports from now on. */
    void count(String text) {
        counts = text;
    }

    private void asked(NetSocket socket, String head) {
        boolean mayPurge = head.contains("Orestes-Purge-Secret: " + secret);
        if (head.startsWith("GET /-/varnish/counts ") && mayPurge && mood == Behaviour.ANSWERING) {
            socket.write("HTTP/1.1 200 Told\r\nContent-Length: 0\r\nOrestes-Counts: " + counts + "\r\n\r\n");
            return;
        }
        switch (mood) {
            case SILENT -> {}
            case DYING -> socket.close();
            case ANSWERING -> {
                if (mayPurge) {
                    purged.add(head.substring("PURGE ".length(), head.indexOf(" HTTP/1.1"))
                            + (head.contains("Orestes-Purge: below") ? "*" : ""));
                }
                socket.write(Buffer.buffer(
                        mayPurge
                                ? "HTTP/1.1 204 Purged\r\n\r\n"
                                : "HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno"));
            }
        }
    }
}
