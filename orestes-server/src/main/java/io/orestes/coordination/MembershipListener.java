package io.orestes.coordination;

/**
 * A listener to changes of the group's membership, as one server sees them. Calls come on one event
 * loop, in order; they must not block.
 */
public interface MembershipListener {

    /**
     * A member has come; also told of those that were there when this server joined, itself
     * included.
     */
    default void joined(Member member) {}

    /**
     * A member has vanished: it is over, and its lease ended before. Not told of this server
     * itself.
     */
    default void gone(Member member) {}

    /**
     * This server is no member any more, by eviction or because it was silent for too long, and may
     * join again.
     */
    default void lost() {}
}
