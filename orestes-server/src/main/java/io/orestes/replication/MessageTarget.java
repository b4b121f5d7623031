package io.orestes.replication;

/**
 * The components of this server to which the messages of one member are applied.
 *
 * @param sender identity of the member
 */
record MessageTarget(
        String sender, ReplicationHandler handler, GroupMembership membership, GroupSynchronization synchronization) {}
