package io.orestes.model;

/** The consistency level of a read in the store: committed or linearizable. */
public enum ReadLevel {

    /**
     * A state that will not be undone. It may be some seconds older than the newest one while the
     * answering server of the store has been replaced without notice, as a primary of MongoDB that
     * is cut off from the other members.
     */
    COMMITTED,

    /**
     * All writes that were committed before the read began. Where several servers store the
     * objects, a majority of them confirms that, which takes a round of replication. The read fails
     * with {@code UNAVAILABLE} if the confirmation does not come in time.
     */
    LINEARIZABLE;

    /** Returns the level of a read. */
    public static ReadLevel of(boolean isFresh) {
        return isFresh ? LINEARIZABLE : COMMITTED;
    }
}
