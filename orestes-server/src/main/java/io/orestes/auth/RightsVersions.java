package io.orestes.auth;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Logical timestamps of the last write that changed the rights of a user or role, by hashed id.
 * Moments are numbers that grow. Of which id it was is known roughly, so that this takes the same
 * space however many there are: who asks may be told of a write of something else. Safe for all
 * threads.
 */
final class RightsVersions {

    /** A power of two. */
    private static final int SLOTS = 1 << 16;

    private final AtomicLong last = new AtomicLong();
    private final AtomicLong lastOfAll = new AtomicLong();
    private final AtomicLongArray lastOfSome = new AtomicLongArray(SLOTS);

    /** Whoever reads the store from now on sees all writes up to the moment that is returned. */
    long now() {
        return last.get();
    }

    /** These were written. */
    void noteAll(Iterable<String> ids) {
        long moment = last.incrementAndGet();
        ids.forEach(id -> lastOfSome.accumulateAndGet(slot(id), moment, Math::max));
    }

    /** Anything may have been written. */
    void noteEverything() {
        lastOfAll.accumulateAndGet(last.incrementAndGet(), Math::max);
    }

    /** Whether what was read of them after {@code moment} is what there is. */
    boolean noneSince(long moment, Iterable<String> ids) {
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
