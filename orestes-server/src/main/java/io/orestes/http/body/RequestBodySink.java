package io.orestes.http.body;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;

/** The destination of a request body while it is received. Used by one event loop. */
interface RequestBodySink<T> {

    /** Returns whether a body of this size, in bytes, would fit now. */
    boolean hasRoomFor(long size);

    /**
     * Accepts the next chunk if it fits.
     *
     * @param size size of the body with it, in bytes
     */
    boolean tryAppend(Buffer chunk, long size);

    /** Returns the result, after the last chunk. */
    Future<T> finish();

    /** Releases the resources of the body; idempotent. */
    void release();
}
