package io.orestes.replication.link;

import static io.orestes.store.Await.await;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A relay between two servers that records all bytes on the wire and can break connections. */
final class Relay {

    private final NetServer server;
    private final NetClient client;
    private final int target;
    private final Buffer sent = Buffer.buffer();
    private final Buffer answered = Buffer.buffer();
    private final Set<NetSocket> callers = ConcurrentHashMap.newKeySet();

    /** @param target port to which everything is passed on */
    Relay(Vertx vertx, int target) {
        this.client = vertx.createNetClient();
        this.target = target;
        this.server = vertx.createNetServer().connectHandler(this::accept);
    }

    /** Opens the relay and returns its port. */
    int open() {
        return await(server.listen(0, "127.0.0.1")).actualPort();
    }

    /** Breaks all connections. */
    void breakConnections() {
        callers.forEach(NetSocket::close);
    }

    /** Returns all bytes from callers until now. */
    synchronized byte[] sent() {
        return sent.getBytes();
    }

    /** Returns all bytes in both directions until now, as characters of one byte each. */
    synchronized String text() {
        return new String(sent.getBytes(), StandardCharsets.ISO_8859_1)
                + new String(answered.getBytes(), StandardCharsets.ISO_8859_1);
    }

    private void accept(NetSocket caller) {
        callers.add(caller);
        caller.pause();
        client.connect(target, "127.0.0.1")
                .onSuccess(called -> connect(caller, called))
                .onFailure(failure -> caller.close());
    }

    private void connect(NetSocket caller, NetSocket called) {
        pass(caller, called, sent);
        pass(called, caller, answered);
        caller.resume();
    }

    private void pass(NetSocket from, NetSocket to, Buffer record) {
        from.handler(bytes -> {
            record(record, bytes);
            to.write(bytes);
        });
        from.closeHandler(closed -> {
            callers.remove(from);
            to.close();
        });
    }

    private synchronized void record(Buffer record, Buffer bytes) {
        record.appendBuffer(bytes);
    }
}
