package io.orestes.transaction;

import io.vertx.core.Future;
import java.util.SortedMap;

/**
 * Who may commit what, so that commits about the same objects come one after the other. Thread-safe. Locks order commits
 * and spare them failures; that a commit is all or nothing, and that nobody writes in between, the store sees to.
 */
interface Locks {

    /**
     * Waits until nobody holds any of these objects in a way that excludes this one, and then holds all of them. Whoever
     * asked first goes first, and nobody holds some while waiting for others, so there are no deadlocks.
     *
     * @param modes by id, in the order of ids; not empty
     * @return completes on the caller's context
     */
    Future<Lock> acquire(SortedMap<String, Mode> modes);

    /** How an object is held. */
    enum Mode {
        /** Beside others that only read it. */
        READ,
        /** Alone. */
        WRITE
    }

    /** What was acquired. */
    interface Lock {

        /** Gives all of it back; to be called once, whatever happened. */
        void release();
    }
}
