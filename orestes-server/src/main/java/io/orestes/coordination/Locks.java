package io.orestes.coordination;

import io.vertx.core.Future;
import java.util.SortedMap;

/**
 * The shared and exclusive locks by which commits on the same objects are ordered in the whole
 * group. Thread-safe. {@code LocksContract} tests what every implementation must do.
 *
 * <p>The locks of a failed member remain until a request that meets them has had its
 * {@link TransactionResolver} settle the transaction. Locks only order commits; the store and the
 * resolver make each commit atomic.
 */
public interface Locks {

    /** Most keys of one {@link #acquire}. */
    int MOST_KEYS = 1_000;

    /**
     * Waits until nobody holds any of these keys in a way that excludes this one, and then holds
     * all of them. Whoever asked first goes first, and nobody holds some while waiting for others,
     * so there are no deadlocks. Fails with {@code UNAVAILABLE}, leaving nothing behind, if that
     * takes longer than {@link CoordinationConfig#lockWait()} or this server is not {@linkplain
     * Coordinator#isCurrent() current}.
     *
     * @param transaction what a resolver is asked about if this server does not get to release them
     * @param modes by key; at least one and at most {@link #MOST_KEYS}
     * @return completes on the caller's context
     */
    Future<Lock> acquire(String transaction, SortedMap<String, Mode> modes);

    /** How a key is held. */
    enum Mode {
        /** Beside others that only read it. */
        READ,
        /** Alone. */
        WRITE
    }

    /** A set of keys that is locked for one transaction until its release. */
    interface Lock {

        /**
         * Whether others may believe this server to be gone and settle the transaction without it:
         * then a commit that has not reached the store must not. As cheap as {@link
         * Coordinator#isCurrent()}.
         */
        boolean isDoubtful();

        /**
         * Gives all of it back; to be called once, when the transaction is all done or not at all.
         * Others get to know a little later. Does nothing when the membership it was acquired with
         * is over: the locks then are for the resolver.
         */
        void release();
    }
}
