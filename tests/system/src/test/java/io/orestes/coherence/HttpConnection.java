package io.orestes.coherence;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import org.jspecify.annotations.Nullable;

/** One connection, mostly to a port of this machine, opened on first use. Single-threaded. */
final class HttpConnection implements AutoCloseable {

    private static final int PATIENCE_MILLIS = 20_000;

    private final InetSocketAddress to;
    private final int patienceMillis;
    private @Nullable Socket socket;
    private InputStream in = InputStream.nullInputStream();

    HttpConnection(int port) {
        this(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), PATIENCE_MILLIS);
    }

    /** @param patienceMillis time limit of the connection, and of each part of an answer */
    HttpConnection(InetSocketAddress to, int patienceMillis) {
        this.to = to;
        this.patienceMillis = patienceMillis;
    }

    /**
     * Sends a request and waits for its response. A safe request is sent again if the connection
     * was an old one, which the other side may have closed meanwhile; after a failure of any other
     * it is unknown whether it arrived.
     */
    Message send(Message request) throws IOException {
        boolean mayBeOutdated = socket != null && request.method().equals("GET");
        try {
            return exchange(request);
        } catch (IOException broken) {
            if (mayBeOutdated) {
                return exchange(request);
            }
            throw broken;
        }
    }

    private Message exchange(Message request) throws IOException {
        try {
            Socket open = open();
            request.write(open.getOutputStream());
            Message response = Message.read(in);
            if (response.header("connection").filter("close"::equals).isPresent()) {
                close();
            }
            return response;
        } catch (IOException | RuntimeException broken) {
            close();
            throw broken;
        }
    }

    private Socket open() throws IOException {
        Socket known = socket;
        if (known != null) {
            return known;
        }
        Socket opened = new Socket();
        socket = opened;
        opened.setTcpNoDelay(true);
        opened.setSoTimeout(patienceMillis);
        opened.connect(to, patienceMillis);
        in = new BufferedInputStream(opened.getInputStream());
        return opened;
    }

    @Override
    public void close() {
        Socket open = socket;
        socket = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException gone) {
                // that was wanted
            }
        }
    }
}
