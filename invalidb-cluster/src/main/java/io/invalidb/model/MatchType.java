package io.invalidb.model;

/** The kinds of change by which a write affects the result of a query. */
public enum MatchType {
    /** The object was not in the result and is now. */
    ADD,
    /** The object was in the result and still is. */
    CHANGE,
    /** The object was in an ordered result and is now at another position of it. */
    CHANGE_INDEX,
    /** The object was in the result and is not any more. */
    REMOVE
}
