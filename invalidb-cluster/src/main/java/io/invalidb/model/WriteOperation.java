package io.invalidb.model;

/** What a client did to the object that an event is about. */
public enum WriteOperation {
    INSERT,
    UPDATE,
    DELETE,
    /** Nothing: another object was written, and that moved this one into an ordered result or out of it. */
    NONE
}
