package io.orestes.system;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Thousands of connections that each sent one request, read by the calling thread. Only the last
 * bytes that a connection received are stored.
 */
final class ManyConnections implements AutoCloseable {

    /** Number of bytes stored of the end of an answer, so that a split text is found. */
    private static final int REMEMBERED = 1024;

    private final Selector selector;
    private final List<Connection> connections = new ArrayList<>();
    private final ByteBuffer buffer = ByteBuffer.allocate(1 << 16);
    private int closed;

    private ManyConnections(Selector selector) {
        this.selector = selector;
    }

    static ManyConnections open(URI base, int count, String request) throws IOException {
        ManyConnections all = new ManyConnections(Selector.open());
        InetSocketAddress address = new InetSocketAddress(base.getHost(), base.getPort());
        for (int i = 0; i < count; i++) {
            all.connect(address, request);
        }
        return all;
    }

    private void connect(InetSocketAddress address, String request) throws IOException {
        SocketChannel channel = SocketChannel.open(address);
        channel.write(ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII)));
        channel.configureBlocking(false);
        Connection connection = new Connection(channel);
        connections.add(connection);
        channel.register(selector, SelectionKey.OP_READ, connection);
    }

    /** Reads until every connection has received the text since the last call with another one. */
    void awaitInAll(String text, Duration patience) throws IOException {
        connections.forEach(each -> each.expect(text));
        long deadline = System.nanoTime() + patience.toNanos();
        while (connections.stream().anyMatch(each -> !each.hasReceived)) {
            if (System.nanoTime() > deadline) {
                long missing =
                        connections.stream().filter(each -> !each.hasReceived).count();
                throw new AssertionError(missing + " connections never received " + text);
            }
            selector.select(this::read, 100);
        }
    }

    private void read(SelectionKey key) {
        Connection connection = (Connection) key.attachment();
        try {
            buffer.clear();
            if (connection.channel.read(buffer) < 0) {
                closed++;
                key.cancel();
            }
            connection.accept(StandardCharsets.US_ASCII.decode(buffer.flip()).toString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the number of connections that the server has closed. */
    int closed() {
        return closed;
    }

    @Override
    public void close() throws IOException {
        for (Connection each : connections) {
            each.channel.close();
        }
        selector.close();
    }

    /** One connection and the end of what it received. */
    private static final class Connection {
        private final SocketChannel channel;
        private String expected = "";
        private String end = "";
        private boolean hasReceived;

        private Connection(SocketChannel channel) {
            this.channel = channel;
        }

        private void expect(String text) {
            expected = text;
            hasReceived = end.contains(text);
        }

        private void accept(String text) {
            String all = end + text;
            hasReceived |= all.contains(expected);
            end = all.substring(Math.max(0, all.length() - REMEMBERED));
        }
    }
}
