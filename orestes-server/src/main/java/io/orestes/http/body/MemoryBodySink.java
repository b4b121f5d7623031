package io.orestes.http.body;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;

/** A body sink that collects a request body in memory, within the {@link BodyBudget}. */
final class MemoryBodySink implements RequestBodySink<Buffer> {

    private static final Buffer NOTHING = Buffer.buffer(0);

    private final BodyBudget room;
    private Buffer received = NOTHING;
    private int chunks;
    private long reservedBytes;

    MemoryBodySink(BodyBudget room) {
        this.room = room;
    }

    @Override
    public boolean hasRoomFor(long size) {
        return room.hasRoomFor(size);
    }

    @Override
    public boolean tryAppend(Buffer chunk, long size) {
        boolean isThere = room.reserve(chunk.length(), size);
        if (isThere) {
            reservedBytes = size;
            append(chunk);
        }
        return isThere;
    }

    /** Appends a chunk; most bodies arrive in one chunk and need no copy. */
    private void append(Buffer chunk) {
        chunks++;
        if (chunks == 1) {
            received = chunk;
        } else if (chunks == 2) {
            received = Buffer.buffer().appendBuffer(received).appendBuffer(chunk);
        } else {
            received.appendBuffer(chunk);
        }
    }

    @Override
    public Future<Buffer> finish() {
        return Future.succeededFuture(received);
    }

    @Override
    public void release() {
        room.release(reservedBytes);
        reservedBytes = 0;
        received = NOTHING;
    }
}
