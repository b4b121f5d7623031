package io.orestes.replication.link;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelOutboundBuffer;
import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.net.NetSocketInternal;
import io.vertx.core.net.NetSocket;
import java.time.Duration;

/**
 * A batching writer to one connection with back-pressure and detection of stalled receivers. Frames
 * added within one turn of an event loop are written at once. Belongs to that event loop.
 *
 * <p>It counts the bytes itself. The socket counts messages once its channel is full, and admits 16
 * more of any size. A write that fails closes the connection, so that its frames are sent again on
 * the next one.
 */
final class FrameWriter {

    private static final int MAX_BATCH_BYTES = 256 << 10;

    /** Unsent bytes from which on the writer counts as full; one batch may exceed that. */
    private static final int MAX_UNSENT_BYTES = 1 << 20;

    private final Context home;
    private final NetSocket socket;
    private final Runnable drained;
    private Buffer batch = Buffer.buffer();

    /** Bytes of the batches that the kernel has not taken as a whole. */
    private long unsentBytes;

    /** Bytes that waited in the channel lately, which also show progress within one batch. */
    private long waitingBytes;

    private long lastProgressNanos = System.nanoTime();
    private boolean isClosed;

    /** @param drained runs when more can be added, after it was full */
    FrameWriter(Context home, NetSocket socket, Runnable drained) {
        this.home = home;
        this.socket = socket;
        this.drained = drained;
        socket.setWriteQueueMaxSize(MAX_UNSENT_BYTES);
    }

    void add(Buffer frame) {
        if (batch.length() == 0) {
            home.runOnContext(turn -> flush());
        }
        batch.appendBuffer(frame);
        if (batch.length() > MAX_BATCH_BYTES) {
            flush();
        }
    }

    /** Returns whether nothing should be added until it has drained. */
    boolean isFull() {
        return !isClosed && unsentBytes >= MAX_UNSENT_BYTES;
    }

    /**
     * Records the progress of the other side. Returns whether the writer is full and the other side
     * has read nothing for {@code timeout}; to be called again and again.
     */
    boolean detectStall(Duration timeout) {
        long now = System.nanoTime();
        ChannelOutboundBuffer buffer = channel().unsafe().outboundBuffer();
        long bytes = buffer == null ? 0 : buffer.totalPendingWriteBytes();
        if (!isFull() || bytes != waitingBytes) {
            waitingBytes = bytes;
            lastProgressNanos = now;
        }
        return now - lastProgressNanos > timeout.toNanos();
    }

    /**
     * Closes the connection now, and drops unsent data: a regular close would wait until the other
     * side has read that. The head of the pipeline has no handler in front of the socket.
     */
    void closeNow() {
        isClosed = true;
        Channel channel = channel();
        if (channel.isOpen()) {
            boolean unused = channel.config().setOption(ChannelOption.SO_LINGER, 0);
            var ignored = channel.pipeline().firstContext().close();
        }
    }

    private Channel channel() {
        return ((NetSocketInternal) socket).channelHandlerContext().channel();
    }

    private void flush() {
        Buffer frames = batch;
        batch = Buffer.buffer();
        if (frames.length() > 0 && !isClosed) {
            unsentBytes += frames.length();
            socket.write(frames).onSuccess(written -> complete(frames.length())).onFailure(lost -> closeNow());
        }
    }

    private void complete(int bytes) {
        boolean wasFull = isFull();
        unsentBytes -= bytes;
        lastProgressNanos = System.nanoTime();
        if (wasFull && !isFull()) {
            drained.run();
        }
    }
}
