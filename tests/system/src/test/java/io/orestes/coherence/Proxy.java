package io.orestes.coherence;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Forwards HTTP messages between two parts of the product, subject to a rule. One thread for each
 * connection.
 */
final class Proxy implements AutoCloseable {

    /**
     * Handles a request; an {@link IOException} closes the connection. Called by several threads.
     */
    interface Rule {

        Rule FORWARD = (request, upstream) -> upstream.send(request);

        Message answer(Message request, HttpConnection upstream) throws IOException;
    }

    private final ServerSocket listener;
    private final int upstreamPort;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private volatile Rule rule = Rule.FORWARD;

    Proxy(int upstreamPort) throws IOException {
        this.listener = new ServerSocket(0, 128, InetAddress.getLoopbackAddress());
        this.upstreamPort = upstreamPort;
        Threads.start("proxy", this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    void rule(Rule next) {
        rule = next;
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket socket = listener.accept();
                open.add(socket);
                Threads.start("proxied", () -> serve(socket));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void serve(Socket socket) {
        try (socket;
                HttpConnection upstream = new HttpConnection(upstreamPort)) {
            socket.setTcpNoDelay(true);
            InputStream in = new BufferedInputStream(socket.getInputStream());
            while (!listener.isClosed()) {
                // the rule at the arrival of the request, not at the begin of the wait for it
                Message request = Message.read(in);
                rule.answer(request, upstream).write(socket.getOutputStream());
            }
        } catch (IOException either) {
            // one side has closed; the end of its connection notifies the other
        } finally {
            open.remove(socket);
        }
    }

    /** Closes every connection, like a broken network. */
    void cut() {
        open.forEach(Proxy::close);
    }

    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        cut();
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException gone) {
            // that was wanted
        }
    }
}
