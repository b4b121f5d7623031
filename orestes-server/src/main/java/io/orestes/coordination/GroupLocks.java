package io.orestes.coordination;

import io.vertx.core.Future;
import java.util.SortedMap;

/**
 * The shared and exclusive locks by which commits on the same objects, and changes of the schema,
 * are ordered in the whole group. Thread-safe. {@code LocksContract} tests what every
 * implementation must do.
 *
 * <p>The locks of a failed member remain until a conflicting request has resolved the transaction
 * with its {@link TransactionResolver}. Locks only order commits; the store and the resolver make
 * each commit atomic.
 */
public interface GroupLocks {

    /** Maximum number of keys of one {@link #acquire}. */
    int MAX_KEYS = 1_000;

    /**
     * Waits until no conflicting lock on any of these keys remains, and then acquires all of them.
     * Requests are served in order, and no request acquires a part while it waits for the rest, so
     * there are no deadlocks. Fails with {@code UNAVAILABLE}, without any lock, if that takes
     * longer than {@link CoordinationTimeouts#lockWait()} or this server is not
     * {@linkplain Coordinator#isCurrent() current}.
     *
     * @param transaction the transaction to resolve if this server fails to release them
     * @param modes by key; at least one and at most {@link #MAX_KEYS}
     * @return completes on the caller's context
     */
    Future<Lock> acquire(String transaction, SortedMap<String, Mode> modes);

    /** The mode of a lock on one key. */
    enum Mode {
        /** Shared with other readers. */
        READ,
        /** Exclusive. */
        WRITE
    }

    /** A set of keys that is locked for one transaction until its release. */
    interface Lock {

        /**
         * Returns whether others may regard this server as failed and resolve the transaction
         * themselves. Then a commit that has not reached the store must not be made. As cheap as
         * {@link Coordinator#isCurrent()}.
         */
        boolean isInDoubt();

        /**
         * Releases all keys. Must be called once, when the transaction is complete or has no
         * effect. Others observe it a little later. Does nothing after the end of the membership
         * that acquired them: then the resolver releases the locks.
         */
        void release();
    }
}
