package io.orestes.replication;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.WebSocketBase;
import io.vertx.core.internal.http.WebSocketInternal;
import java.time.Duration;

/**
 * A batching writer to one WebSocket with back-pressure and detection of stalled receivers. Data
 * added within one turn of an event loop becomes one WebSocket message. Belongs to that event loop.
 */
final class WebSocketWriter {

    private static final int MAX_MESSAGE_BYTES = 256 << 10;

    /** Unsent bytes from which on the socket counts as full; one message may exceed that. */
    private static final int MAX_UNSENT_BYTES = 1 << 20;

    private final Context home;
    private final WebSocketBase socket;
    private Buffer buffered = Buffer.buffer();
    private long unsentBytes;
    private long lastProgressNanos = System.nanoTime();

    /** @param drained runs when more can be added, after it was full */
    WebSocketWriter(Context home, WebSocketBase socket, Runnable drained) {
        this.home = home;
        this.socket = socket;
        socket.setWriteQueueMaxSize(MAX_UNSENT_BYTES);
        socket.drainHandler(more -> drained.run());
    }

    void add(Buffer frame) {
        if (buffered.length() == 0) {
            home.runOnContext(turn -> flush());
        }
        buffered.appendBuffer(frame);
        if (buffered.length() > MAX_MESSAGE_BYTES) {
            flush();
        }
    }

    /** Sends a separate message, ahead of buffered data. */
    void send(Buffer message) {
        var unused = socket.writeBinaryMessage(message);
    }

    /** Returns whether nothing should be added until it has drained. */
    boolean isFull() {
        return !socket.isClosed() && socket.writeQueueFull();
    }

    /**
     * Records the progress of the other side. Returns whether the socket is full and the other side
     * has read nothing for {@code timeout}; to be called again and again.
     */
    boolean detectStall(Duration timeout) {
        long now = System.nanoTime();
        long bytes = channel().bytesBeforeWritable();
        if (!isFull() || bytes != unsentBytes) {
            unsentBytes = bytes;
            lastProgressNanos = now;
        }
        return now - lastProgressNanos > timeout.toNanos();
    }

    /**
     * Closes the connection now, and drops unsent data: a regular close would wait until the other
     * side has read that. The head of the pipeline has no handler in front of the socket.
     */
    void closeNow() {
        Channel channel = channel();
        if (channel.isOpen()) {
            boolean unused = channel.config().setOption(ChannelOption.SO_LINGER, 0);
            var ignored = channel.pipeline().firstContext().close();
        }
    }

    private Channel channel() {
        return ((WebSocketInternal) socket).channelHandlerContext().channel();
    }

    private void flush() {
        if (buffered.length() > 0 && !socket.isClosed()) {
            var unused = socket.writeBinaryMessage(buffered);
        }
        buffered = Buffer.buffer();
    }
}
