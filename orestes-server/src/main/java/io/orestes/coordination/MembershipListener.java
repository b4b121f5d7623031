package io.orestes.coordination;

/**
 * A listener to changes of the group's membership, as one server sees them. Calls come on one event
 * loop, in order; they must not block.
 */
public interface MembershipListener {

    /**
     * Reports a new member, and also those that were present when this server joined, itself
     * included.
     */
    default void memberJoined(Member member) {}

    /**
     * Reports that a member has vanished: its membership has ended, and its lease before. Not
     * called for this server.
     */
    default void memberLeft(Member member) {}

    /**
     * Reports that this server is no member any more, by eviction or after a long silence. It may
     * join again.
     */
    default void membershipLost() {}
}
