package io.orestes.replication.link;

import java.time.Duration;

/**
 * The configuration of links to other members.
 *
 * @param failureTimeout silence of a member after which it is suspected, and time limit of
 *     connecting to it
 * @param maxUnackedBytes maximum number of unacknowledged bytes for one member; beyond that it gets
 *     no more messages
 */
public record PeerLinkConfig(Duration failureTimeout, long maxUnackedBytes) {}
