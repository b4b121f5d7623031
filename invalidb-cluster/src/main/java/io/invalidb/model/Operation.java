package io.invalidb.model;

/** What a client did to the object it wrote. */
public enum Operation {
    INSERT,
    UPDATE,
    DELETE
}
