package io.orestes.model;

/** The consistency level of a read in the store: committed or linearizable. */
public enum ReadLevel {

    /**
     * A state that will not be undone. It may be some seconds older than the newest one while the
     * server that answers for the store has been replaced without notice, as a primary of MongoDB
     * that is cut off from the other members.
     */
    COMMITTED,

    /**
     * All that was committed before the read began. Where several servers hold the objects a
     * majority of them confirms that, which takes a round of replication. The read fails with
     * {@code UNAVAILABLE} if the confirmation does not come in time.
     */
    LINEARIZABLE;

    /** The level of a read, by whether only the newest committed state will do. */
    public static ReadLevel of(boolean isFresh) {
        return isFresh ? LINEARIZABLE : COMMITTED;
    }
}
