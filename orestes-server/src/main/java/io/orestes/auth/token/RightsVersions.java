package io.orestes.auth.token;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Logical timestamps of the last write that changed the rights of a user or role, by hashed id.
 * Such a write concerns the user, the credential, or a role that the user is or was a member of.
 * Timestamps are numbers that grow. Several ids share one slot, so that the space is fixed: a
 * look-up may return the write of another id. Safe for all threads.
 */
final class RightsVersions {

    /** Number of slots, a power of two. */
    private static final int SLOTS = 1 << 16;

    private final AtomicLong last = new AtomicLong();
    private final AtomicLong lastOfAll = new AtomicLong();
    private final AtomicLongArray lastOfSome = new AtomicLongArray(SLOTS);

    /**
     * Returns the current logical time. A read of the store that starts after this call sees all
     * writes up to it.
     */
    long now() {
        return last.get();
    }

    /** Records a write of these ids. */
    void recordChanges(Iterable<String> ids) {
        long moment = last.incrementAndGet();
        ids.forEach(id -> lastOfSome.accumulateAndGet(slot(id), moment, Math::max));
    }

    /** Records that all ids may have been written. */
    void recordChangeOfAll() {
        lastOfAll.accumulateAndGet(last.incrementAndGet(), Math::max);
    }

    /** Returns whether a read of the ids after {@code moment} is still current. */
    boolean isUnchangedSince(long moment, Iterable<String> ids) {
        if (lastOfAll.get() > moment) {
            return false;
        }
        for (String id : ids) {
            if (lastOfSome.get(slot(id)) > moment) {
                return false;
            }
        }
        return true;
    }

    private static int slot(String id) {
        int hash = id.hashCode();
        return (hash ^ (hash >>> 16)) & (SLOTS - 1);
    }
}
