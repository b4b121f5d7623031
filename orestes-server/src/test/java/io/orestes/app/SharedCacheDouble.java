package io.orestes.app;

import io.vertx.core.Vertx;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;
import io.vertx.core.parsetools.RecordParser;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;

/** A shared cache on loopback that records purges, and hangs when a test wants it to. */
final class SharedCacheDouble implements AutoCloseable {

    private final Vertx vertx = Vertx.vertx();
    private final List<String> purged = new CopyOnWriteArrayList<>();
    private final Queue<NetSocket> unanswered = new ConcurrentLinkedQueue<>();
    private volatile boolean isHanging;
    private int port;

    private SharedCacheDouble() {}

    static SharedCacheDouble listen() {
        SharedCacheDouble cache = new SharedCacheDouble();
        NetServer server = cache.vertx
                .createNetServer()
                .connectHandler(socket -> socket.handler(
                        RecordParser.newDelimited("\r\n\r\n", head -> cache.asked(socket, head.toString()))));
        cache.port = RunningServer.await(server.listen(0, "127.0.0.1")).actualPort();
        return cache;
    }

    String url() {
        return "http://127.0.0.1:" + port;
    }

    /** Returns the purged paths, in order. */
    List<String> purged() {
        return purged;
    }

    void hang() {
        isHanging = true;
    }

    void goOn() {
        isHanging = false;
        for (NetSocket socket = unanswered.poll(); socket != null; socket = unanswered.poll()) {
            answer(socket);
        }
    }

    @Override
    public void close() {
        RunningServer.await(vertx.close());
    }

    private void asked(NetSocket socket, String head) {
        purged.add(head.substring("PURGE ".length(), head.indexOf(" HTTP/1.1")));
        if (isHanging) {
            unanswered.add(socket);
        } else {
            answer(socket);
        }
    }

    private static void answer(NetSocket socket) {
        var ignored = socket.write("HTTP/1.1 204 Purged\r\n\r\n");
    }
}
