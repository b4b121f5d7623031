package io.orestes.limits;

import java.util.concurrent.atomic.AtomicLong;

/**
 * A budget of bytes that many share. Each reservation states its own limit, so that some can leave
 * a part of the budget to others. Lock-free and thread-safe.
 */
public final class ByteBudget {

    private final AtomicLong used = new AtomicLong();

    /** Returns the number of reserved bytes. */
    public long usedBytes() {
        return used.get();
    }

    /**
     * Reserves bytes if at most {@code maxUsedBytes} are reserved with them, else none; returns
     * whether it did.
     *
     * @param bytes number of bytes, 0 or more; 0 is always granted
     */
    public boolean tryReserve(long bytes, long maxUsedBytes) {
        long before = used.get();
        while (bytes == 0 || before + bytes <= maxUsedBytes) {
            if (used.compareAndSet(before, before + bytes)) {
                return true;
            }
            before = used.get();
        }
        return false;
    }

    /** Reserves any number of bytes if nothing is reserved; returns whether it did. */
    public boolean tryReserveAlone(long bytes) {
        return used.compareAndSet(0, bytes);
    }

    /** Releases bytes that were reserved. */
    public void release(long bytes) {
        used.addAndGet(-bytes);
    }
}
