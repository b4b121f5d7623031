package io.orestes.limits;

import com.google.common.collect.Collections2;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * A budget of bytes that evicts shares in favour of others. A share that is alone may exceed the
 * budget. Thread-safe.
 */
public final class EvictingBudget {

    private final long maxBytes;
    private final EvictionPolicy policy;
    private final Set<Share> shares = new LinkedHashSet<>();
    private long usedBytes;

    /** @param maxBytes maximum of all reserved bytes, unless a single share exceeds it */
    public EvictingBudget(long maxBytes, EvictionPolicy policy) {
        this.maxBytes = maxBytes;
        this.policy = policy;
    }

    /** Returns the number of reserved bytes. */
    public synchronized long usedBytes() {
        return usedBytes;
    }

    /**
     * Reserves bytes if they fit, or after evictions; returns whether it did. They cannot be
     * evicted until they become a {@linkplain #share share}.
     */
    public synchronized boolean tryReserve(long bytes) {
        boolean fits = makeRoom(usedBytes, bytes, shares);
        if (fits) {
            usedBytes += bytes;
        }
        return fits;
    }

    /** Reserves bytes after evictions, even if they do not fit. */
    public synchronized void reserve(long bytes) {
        boolean unused = makeRoom(usedBytes, bytes, shares);
        usedBytes += bytes;
    }

    /**
     * Creates a share, which can be evicted while it has bytes.
     *
     * @param reservedBytes bytes that are reserved already and belong to the share from now on
     * @param onEviction called once when the share is evicted, on the thread that needs its bytes;
     *     must neither block nor take a lock
     */
    public synchronized Share share(long reservedBytes, Runnable onEviction) {
        Share share = new Share(onEviction);
        usedBytes -= reservedBytes;
        share.set(reservedBytes);
        return share;
    }

    /**
     * Evicts shares until {@code bytes} fit beside {@code otherBytes} of others; returns false if
     * they do not fit. Shares that are evicted for nothing stay evicted.
     *
     * @param candidates live view of the shares that may be evicted
     */
    private boolean makeRoom(long otherBytes, long bytes, Collection<Share> candidates) {
        long others = otherBytes;
        while (others > 0 && others + bytes > maxBytes) {
            Optional<Share> victim = policy.victim(candidates, bytes);
            if (victim.isEmpty()) {
                return false;
            }
            others -= victim.get().bytes;
            victim.get().evict();
        }
        return true;
    }

    /** A part of the budget that can be evicted. */
    public final class Share {

        private final Runnable onEviction;
        private final long beginNanos = System.nanoTime();
        private long bytes;
        private boolean isEnded;

        private Share(Runnable onEviction) {
            this.onEviction = onEviction;
        }

        /**
         * Changes the size, after evictions of others; returns false, without a change, if the new
         * size does not fit. Does nothing after the end.
         */
        public boolean tryResize(long newBytes) {
            synchronized (EvictingBudget.this) {
                boolean fits = isEnded || newBytes <= bytes || makeRoom(usedBytes - bytes, newBytes, others());
                if (fits && !isEnded) {
                    set(newBytes);
                }
                return fits;
            }
        }

        /** Releases the bytes permanently; returns false if the share had ended before. */
        @CanIgnoreReturnValue
        public boolean end() {
            synchronized (EvictingBudget.this) {
                boolean isFirst = !isEnded;
                set(0);
                isEnded = true;
                return isFirst;
            }
        }

        /** Ends the share as by an eviction, unless it has ended. */
        public void evict() {
            if (end()) {
                onEviction.run();
            }
        }

        /** Returns the size, for a policy that runs within the budget's lock. */
        long bytes() {
            return bytes;
        }

        /** Returns the time since its creation. */
        Duration age() {
            return Duration.ofNanos(System.nanoTime() - beginNanos);
        }

        private Collection<Share> others() {
            return Collections2.filter(shares, share -> share != this);
        }

        private void set(long newBytes) {
            usedBytes += newBytes - bytes;
            bytes = newBytes;
            if (newBytes == 0) {
                shares.remove(this);
            } else {
                shares.add(this);
            }
        }
    }
}
