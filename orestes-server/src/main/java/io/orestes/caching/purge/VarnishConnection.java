package io.orestes.caching.purge;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetSocket;
import java.util.List;

/** A connection to Varnish that pipelines purges of URLs. */
final class VarnishConnection implements PurgeConnection {

    /** Name of the header with the secret that authenticates purges at Varnish. */
    static final String SECRET = "Orestes-Purge-Secret";

    private final NetSocket socket;
    private final PurgeConnectionListener listener;
    private final String end;
    private int underWay;
    private boolean isOver;

    VarnishConnection(NetSocket socket, VarnishTarget target, String secret, PurgeConnectionListener listener) {
        this.socket = socket;
        this.listener = listener;
        this.end = "Host: " + target.authority() + "\r\n" + SECRET + ": " + secret + "\r\n\r\n";
        PipelinedResponseParser pipelinedResponseParser = new PipelinedResponseParser(this::answered);
        socket.handler(bytes -> read(pipelinedResponseParser, bytes));
        socket.exceptionHandler(broken -> close());
        socket.closeHandler(closed -> listener.onClosed());
    }

    /** Sends all requests with one system call. */
    @Override
    public void send(List<PurgeRequest> orders) {
        Buffer requests = Buffer.buffer();
        orders.forEach(purgeRequest -> append(requests, purgeRequest));
        underWay += orders.size();
        socket.write(requests).onFailure(broken -> close());
    }

    private void append(Buffer requests, PurgeRequest purgeRequest) {
        requests.appendString("PURGE ").appendString(purgeRequest.path()).appendString(" HTTP/1.1\r\n");
        if (purgeRequest.isPrefix()) {
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
            listener.onConfirmed(1);
        } else {
            listener.onFailed("responds to purges with " + status);
            close();
        }
    }

    private void read(PipelinedResponseParser pipelinedResponseParser, Buffer bytes) {
        try {
            pipelinedResponseParser.handle(bytes);
        } catch (IllegalArgumentException notUnderstood) {
            close();
        }
    }
}
