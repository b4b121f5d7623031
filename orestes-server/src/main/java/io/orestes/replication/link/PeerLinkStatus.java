package io.orestes.replication.link;

/**
 * The state of the link to one other member: whether it is connected, and its unacknowledged
 * messages and bytes.
 *
 * @param isConnected whether there is an authenticated connection
 * @param unackedMessages messages that the member has not acknowledged, sent or not
 * @param unackedBytes size of these messages
 * @param maxUnackedBytes the limit of these bytes, beyond which the member gets no more messages
 */
public record PeerLinkStatus(boolean isConnected, int unackedMessages, long unackedBytes, long maxUnackedBytes) {}
