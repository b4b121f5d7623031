package io.orestes.caching.purge;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetSocket;
import java.util.function.IntConsumer;

/** Pipelined purges over one open connection. Single-threaded. */
final class Connection {

    private final NetSocket socket;
    private final String end;
    private boolean isOver;

    /**
     * Takes over a socket.
     *
     * @param onStatus told of each answer, in the order of the purges
     * @param onClose told when nothing more will be answered
     */
    Connection(NetSocket socket, PurgeTarget target, String secret, IntConsumer onStatus, Runnable onClose) {
        this.socket = socket;
        this.end = "Host: " + target.authority() + "\r\nOrestes-Purge-Secret: " + secret + "\r\n\r\n";
        Answers answers = new Answers(status -> answered(onStatus, status));
        socket.handler(bytes -> read(answers, bytes));
        socket.exceptionHandler(broken -> close());
        socket.closeHandler(closed -> onClose.run());
    }

    /** Adds the request for an order to what {@link #send} will send. */
    void append(Buffer requests, Order order) {
        requests.appendString("PURGE ").appendString(order.path()).appendString(" HTTP/1.1\r\n");
        if (order.isBelow()) {
            requests.appendString("Orestes-Purge: below\r\n");
        }
        requests.appendString(end);
    }

    void send(Buffer requests) {
        socket.write(requests).onFailure(broken -> close());
    }

    /** No further answer counts, even if it has come already. */
    void close() {
        isOver = true;
        var ignored = socket.close();
    }

    private void answered(IntConsumer onStatus, int status) {
        if (!isOver) {
            onStatus.accept(status);
        }
    }

    private void read(Answers answers, Buffer bytes) {
        try {
            answers.handle(bytes);
        } catch (IllegalArgumentException notUnderstood) {
            close();
        }
    }
}
