package io.orestes.http;

import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory budget of all request bodies that are received and still needed. Without it, many
 * clients with large bodies could use up the memory. Announcing a body takes no room. The last
 * eighth is reserved for small bodies, which get through while large ones wait. Shared by all event
 * loops.
 */
public final class BodyBudget {

    /** Largest body that may use the room to its end, in bytes. */
    static final long SMALL = 64 * 1024;

    private final long maxBytes;
    private final AtomicLong reserved = new AtomicLong();

    public BodyBudget(long maxBytes, MeterRegistry registry) {
        this.maxBytes = maxBytes;
        HttpMetrics.bind(registry, this);
    }

    /** How many bytes are taken now. */
    long pendingBytes() {
        return reserved.get();
    }

    /** Whether a body of this size would find room if it came now. */
    boolean hasRoomFor(long size) {
        return size == 0 || reserved.get() + size <= most(size);
    }

    /**
     * Takes room for {@code bytes} more of a body if there is any; it has to be given back with
     * {@link #release}.
     *
     * @param size of the body with them
     */
    boolean reserve(long bytes, long size) {
        boolean isThere = reserved.addAndGet(bytes) <= most(size);
        if (!isThere) {
            release(bytes);
        }
        return isThere;
    }

    void release(long bytes) {
        reserved.addAndGet(-bytes);
    }

    private long most(long size) {
        return size <= SMALL ? maxBytes : maxBytes - maxBytes / 8;
    }
}
