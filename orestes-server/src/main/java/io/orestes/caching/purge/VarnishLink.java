package io.orestes.caching.purge;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetSocket;
import java.util.List;

/** Pipelined purges of URLs over one connection to Varnish. */
final class VarnishLink implements Link {

    /** The header by which Varnish knows us. */
    static final String SECRET = "Orestes-Purge-Secret";

    private final NetSocket socket;
    private final Listener listener;
    private final String end;
    private int underWay;
    private boolean isOver;

    VarnishLink(NetSocket socket, VarnishTarget target, String secret, Listener listener) {
        this.socket = socket;
        this.listener = listener;
        this.end = "Host: " + target.authority() + "\r\n" + SECRET + ": " + secret + "\r\n\r\n";
        Answers answers = new Answers(this::answered);
        socket.handler(bytes -> read(answers, bytes));
        socket.exceptionHandler(broken -> close());
        socket.closeHandler(closed -> listener.closed());
    }

    /** All of them go out with one call of the system. */
    @Override
    public void send(List<Order> orders) {
        Buffer requests = Buffer.buffer();
        orders.forEach(order -> append(requests, order));
        underWay += orders.size();
        socket.write(requests).onFailure(broken -> close());
    }

    private void append(Buffer requests, Order order) {
        requests.appendString("PURGE ").appendString(order.path()).appendString(" HTTP/1.1\r\n");
        if (order.isBelow()) {
            requests.appendString("Orestes-Purge: below\r\n");
        }
        requests.appendString(end);
    }

    @Override
    public void close() {
        isOver = true;
        var ignored = socket.close();
    }

    private void answered(int status) {
        if (isOver) {
            return;
        }
        if (status / 100 == 2 && underWay > 0) {
            underWay--;
            listener.confirmed(1);
        } else {
            listener.failed("answers purges with " + status);
            close();
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
