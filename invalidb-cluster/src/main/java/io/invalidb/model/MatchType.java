package io.invalidb.model;

/** How one write changed the result of one query. */
public enum MatchType {
    /** The object was not in the result and is now. */
    ADD,
    /** The object was in the result and still is. */
    CHANGE,
    /** The object was in an ordered result and is now at another place of it. */
    CHANGE_INDEX,
    /** The object was in the result and is not any more. */
    REMOVE
}
