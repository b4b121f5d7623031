package io.invalidb.model;

/** The kind of operation by which a client wrote an object: insert, update, delete or none. */
public enum WriteOperation {
    INSERT,
    UPDATE,
    DELETE,
    /**
     * Nothing: another object was written, and that moved this one into an ordered result or out of
     * it.
     */
    NONE
}
