package io.orestes.replication;

/**
 * How it is with what one other member is told.
 *
 * @param isConnected whether there is a connection over which both know who they are
 * @param unanswered messages that the member has not confirmed, sent or not
 * @param bytes of these
 * @param mostBytes with more of them it is told nothing any more
 */
public record PeerLinkState(boolean isConnected, int unanswered, long bytes, long mostBytes) {}
