package io.invalidb.model;

/** The kind of operation by which a client wrote an object: insert, update, delete or none. */
public enum WriteOperation {
    INSERT,
    UPDATE,
    DELETE,
    /**
     * No operation: a write of another object moved this one into an ordered result or out of it.
     */
    NONE
}
