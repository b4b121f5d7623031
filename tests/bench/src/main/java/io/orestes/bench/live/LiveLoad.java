package io.orestes.bench.live;

import io.orestes.bench.harness.Latencies;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * A client of live queries: one thread that sends writes at a fixed rate, whether or not earlier
 * ones were answered, and receives the events that they cause. Every write carries the time at
 * which it was sent.
 */
final class LiveLoad implements AutoCloseable {

    private static final int WRITERS = 64;

    private final Selector selector = Selector.open();
    private final ByteBuffer buffer = ByteBuffer.allocate(1 << 18);
    private final InetSocketAddress address;
    private final Requests requests;
    private final List<StampScanner> subscribers = new ArrayList<>();
    private final Deque<Writer> idle = new ArrayDeque<>();
    private final Deque<ByteBuffer> waiting = new ArrayDeque<>();
    private final Latencies latencies = new Latencies();
    private final long epoch = System.nanoTime();
    private int sent;

    /** Creates the writes. */
    interface Requests {

        /** Returns a whole HTTP request. */
        String write(int number, String stamp);
    }

    LiveLoad(int port, Requests requests) throws IOException {
        this.address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        this.requests = requests;
        for (int i = 0; i < WRITERS; i++) {
            SocketChannel channel = connect();
            Writer writer = new Writer(channel);
            channel.register(selector, SelectionKey.OP_READ, writer);
            idle.push(writer);
        }
    }

    /** Opens a connection for events; {@code request} is sent without waiting for its answer. */
    SocketChannel subscribe(String request) throws IOException {
        SocketChannel channel = connect();
        send(channel, ByteBuffer.wrap(request.getBytes(StandardCharsets.ISO_8859_1)));
        StampScanner scanner = new StampScanner();
        subscribers.add(scanner);
        channel.register(selector, SelectionKey.OP_READ, scanner);
        return channel;
    }

    /**
     * Receives until every subscriber satisfies the condition on its number of answers and bytes.
     */
    void awaitSubscribed(IntPredicate enoughAnswers) throws IOException {
        long deadline = now() + 60_000_000_000L;
        while (!subscribers.stream().allMatch(each -> each.bytes() > 0 && enoughAnswers.test(each.subscribed()))) {
            if (now() > deadline) {
                throw new IOException("Not everybody could subscribe");
            }
            receive(10);
        }
    }

    /** Writes at this rate for some time, then receives what is still under way. */
    Outcome run(double writesPerSecond, double seconds) throws IOException {
        latencies.clear();
        long bytesBefore = received();
        long begin = now();
        double interval = 1e9 / writesPerSecond;
        long total = (long) (writesPerSecond * seconds);
        for (long i = 0; i < total; ) {
            long due = begin + (long) (i * interval);
            if (now() >= due) {
                write();
                i++;
            } else {
                receive(Math.max(1, (due - now()) / 1_000_000));
            }
        }
        long end = now();
        int arrived = latencies.count();
        drain();
        return new Outcome(
                arrived / ((end - begin) / 1e9),
                latencies.count(),
                total,
                latencies.millis(0.50),
                latencies.millis(0.99),
                received() - bytesBefore);
    }

    /**
     * The result of a run.
     *
     * @param perSecond events that arrived while writes were sent, per second
     * @param events all that arrived
     */
    record Outcome(double perSecond, int events, long writes, double p50Millis, double p99Millis, long bytes) {}

    int subscribers() {
        return subscribers.size();
    }

    private void write() throws IOException {
        String request = requests.write(sent++, StampScanner.STAMP + Long.toString(now()));
        waiting.add(ByteBuffer.wrap(request.getBytes(StandardCharsets.ISO_8859_1)));
        sendWaiting();
    }

    private void sendWaiting() throws IOException {
        while (!waiting.isEmpty() && !idle.isEmpty()) {
            Writer writer = idle.pop();
            send(writer.channel, waiting.remove());
        }
    }

    /** Receives until a second has passed without an event. */
    private void drain() throws IOException {
        int before = -1;
        while (latencies.count() > before || !waiting.isEmpty()) {
            before = latencies.count();
            long end = now() + 1_000_000_000L;
            while (now() < end) {
                receive(10);
            }
        }
    }

    private void receive(long millis) throws IOException {
        selector.select(key -> read((SocketChannel) key.channel(), key.attachment()), millis);
        sendWaiting();
    }

    private void read(SocketChannel channel, Object attachment) {
        try {
            buffer.clear();
            int length = channel.read(buffer);
            if (length < 0) {
                throw new IllegalStateException("The server closed a connection");
            }
            if (attachment instanceof StampScanner scanner) {
                scanner.scan(buffer.array(), length, now(), latencies);
            } else if (attachment instanceof Writer writer && writer.received(buffer.array(), length)) {
                idle.push(writer);
            }
        } catch (IOException e) {
            throw new IllegalStateException("A connection broke", e);
        }
    }

    private long received() {
        return subscribers.stream().mapToLong(StampScanner::bytes).sum();
    }

    private long now() {
        return System.nanoTime() - epoch;
    }

    private SocketChannel connect() throws IOException {
        SocketChannel channel = SocketChannel.open(address);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true).configureBlocking(false);
        return channel;
    }

    /** Requests are small, so the socket has room for them. */
    static void send(SocketChannel channel, ByteBuffer request) throws IOException {
        while (request.hasRemaining()) {
            int written = channel.write(request);
            if (written == 0) {
                Thread.onSpinWait();
            }
        }
    }

    @Override
    public void close() throws IOException {
        for (SelectionKey key : List.copyOf(selector.keys())) {
            key.channel().close();
        }
        selector.close();
    }

    /** One keep-alive connection for writes, which detects the end of the last answer. */
    private static final class Writer {

        private static final byte[] LENGTH = "content-length: ".getBytes(StandardCharsets.US_ASCII);
        private static final byte[] END = "\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

        private final SocketChannel channel;
        private final byte[] answer = new byte[1 << 14];
        private int filled;

        Writer(SocketChannel channel) {
            this.channel = channel;
        }

        private boolean received(byte[] bytes, int length) {
            System.arraycopy(bytes, 0, answer, filled, length);
            filled += length;
            int head = indexOf(END);
            if (head < 0 || filled < head + END.length + contentLength()) {
                return false;
            }
            if (!new String(answer, 9, 3, StandardCharsets.US_ASCII).equals("200")) {
                throw new IllegalStateException(new String(answer, 0, filled, StandardCharsets.UTF_8));
            }
            filled = 0;
            return true;
        }

        private int contentLength() {
            int at = indexOf(LENGTH) + LENGTH.length;
            int length = 0;
            while (answer[at] >= '0' && answer[at] <= '9') {
                length = 10 * length + answer[at++] - '0';
            }
            return length;
        }

        private int indexOf(byte[] wanted) {
            for (int from = 0; from <= filled - wanted.length; from++) {
                int i = 0;
                while (i < wanted.length && answer[from + i] == wanted[i]) {
                    i++;
                }
                if (i == wanted.length) {
                    return from;
                }
            }
            return -1;
        }
    }
}
