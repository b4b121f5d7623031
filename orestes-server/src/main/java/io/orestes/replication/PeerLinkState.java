package io.orestes.replication;

/**
 * The state of the link to one other member: whether it is connected, and its unacknowledged
 * messages and bytes.
 *
 * @param isConnected whether there is a connection over which both know who they are
 * @param unanswered messages that the member has not confirmed, sent or not
 * @param bytes of these
 * @param mostBytes with more of them it is told nothing any more
 */
public record PeerLinkState(boolean isConnected, int unanswered, long bytes, long mostBytes) {}
