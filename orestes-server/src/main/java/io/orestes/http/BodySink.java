package io.orestes.http;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;

/** The destination of a request body while it is received. Used by one event loop. */
interface BodySink<T> {

    /** Whether a body of this size would find room if it came now, in bytes. */
    boolean hasRoomFor(long size);

    /**
     * Takes the next piece, if there is room for it.
     *
     * @param size of the body with it, in bytes
     */
    boolean take(Buffer chunk, long size);

    /** What has become of the body, after the last piece. */
    Future<T> whole();

    /** Gives up what the body took; more than once is the same as once. */
    void release();
}
