package io.orestes.http.body;

import io.micrometer.core.instrument.MeterRegistry;
import io.orestes.limits.ByteBudget;

/**
 * The memory budget of all request bodies that are received and still needed. Without it, many
 * clients with large bodies could use up the memory. An announced body reserves nothing. The last
 * eighth is reserved for small bodies, which are admitted while large ones wait. Shared by all
 * event loops.
 */
public final class BodyBudget {

    /** Maximum size in bytes of a body that may use the whole budget. */
    static final long SMALL = 64 * 1024;

    private final long maxBytes;
    private final ByteBudget reserved = new ByteBudget();

    public BodyBudget(long maxBytes, MeterRegistry registry) {
        this.maxBytes = maxBytes;
        RequestBodyMetrics.bind(registry, this);
    }

    /** Returns the number of reserved bytes. */
    long pendingBytes() {
        return reserved.usedBytes();
    }

    /** Returns whether a body of this size would fit now. */
    boolean hasRoomFor(long size) {
        return size == 0 || reserved.usedBytes() + size <= most(size);
    }

    /**
     * Reserves {@code bytes} more of a body if they fit; the caller returns them by {@link
     * #release}.
     *
     * @param size size of the body with them
     */
    boolean reserve(long bytes, long size) {
        return reserved.tryReserve(bytes, most(size));
    }

    void release(long bytes) {
        reserved.release(bytes);
    }

    private long most(long size) {
        return size <= SMALL ? maxBytes : maxBytes - maxBytes / 8;
    }
}
