package io.orestes.socket;

import io.vertx.core.Future;

/**
 * The unsent bytes of one connection, compared with the limit for slow clients. A result may be
 * larger than that limit. The result that is being sent therefore does not count, only messages
 * behind it. Belongs to the connection's event loop.
 */
final class SendBacklog {

    private final long maxBytes;
    private long bytes;
    private boolean isResultUnderWay;

    SendBacklog(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    /** Counts a message until it is {@code sent}. */
    void add(int length, Future<Void> sent) {
        bytes += length;
        sent.onComplete(done -> bytes -= length);
    }

    /** Counts a result unless it is the only unsent one. */
    void addResult(int length, Future<Void> sent) {
        if (isResultUnderWay) {
            add(length, sent);
        } else {
            isResultUnderWay = true;
            sent.onComplete(done -> isResultUnderWay = false);
        }
    }

    /** Returns whether the client reads too slowly. */
    boolean isTooLarge() {
        return isTooLarge(0);
    }

    /** Returns whether the client reads too slowly, given {@code unsent} bytes. */
    boolean isTooLarge(long unsent) {
        return bytes + unsent > maxBytes;
    }

    long bytes() {
        return bytes;
    }
}
