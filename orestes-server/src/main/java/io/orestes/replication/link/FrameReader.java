package io.orestes.replication.link;

import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.parsetools.RecordParser;
import org.bson.BsonDocument;

/**
 * A reader that divides the bytes of one connection into frames, each of which is a BSON document
 * that begins with its size. Belongs to the event loop of the connection.
 */
final class FrameReader implements Handler<Buffer> {

    private static final int MIN_BYTES = 5;

    private final Handler<BsonDocument> frames;
    private final Handler<RuntimeException> invalid;
    private final RecordParser parser = RecordParser.newFixed(Integer.BYTES);
    private int maxBytes;
    private Buffer size = Buffer.buffer();
    private boolean isEnded;

    /**
     * @param maxBytes maximum size of a frame
     * @param invalid receives the first failure of {@code frames}, and invalid bytes; nothing
     *     further is read
     */
    FrameReader(int maxBytes, Handler<BsonDocument> frames, Handler<RuntimeException> invalid) {
        this.maxBytes = maxBytes;
        this.frames = frames;
        this.invalid = invalid;
        parser.handler(this::readSize);
    }

    /** Sets the maximum size of the frames that follow. */
    void setMaxBytes(int bytes) {
        maxBytes = bytes;
    }

    @Override
    public void handle(Buffer arrived) {
        if (isEnded) {
            return;
        }
        try {
            parser.handle(arrived);
        } catch (RuntimeException e) {
            isEnded = true;
            invalid.handle(e);
        }
    }

    private void readSize(Buffer arrived) {
        int bytes = arrived.getIntLE(0);
        if (bytes < MIN_BYTES || bytes > maxBytes) {
            throw new IllegalArgumentException("A frame of " + bytes + " bytes");
        }
        size = arrived;
        parser.fixedSizeMode(bytes - Integer.BYTES);
        parser.handler(this::readRest);
    }

    private void readRest(Buffer arrived) {
        Buffer frame = Buffer.buffer(Integer.BYTES + arrived.length())
                .appendBuffer(size)
                .appendBuffer(arrived);
        parser.fixedSizeMode(Integer.BYTES);
        parser.handler(this::readSize);
        frames.handle(FrameCodec.decode(frame));
    }
}
