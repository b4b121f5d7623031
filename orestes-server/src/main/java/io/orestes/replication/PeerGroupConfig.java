package io.orestes.replication;

import io.orestes.replication.link.PeerLinkConfig;
import java.time.Duration;

/**
 * The configuration of replication between the servers of a group: addresses, time-outs and the
 * limit of unacknowledged bytes.
 *
 * @param host host of the listener for other servers; by default 127.0.0.1
 * @param port port of that listener; 0 for any
 * @param failureTimeout silence of another server with unacknowledged messages after which it
 *     counts as failed; default 2 s
 * @param acknowledgementTimeout maximum wait of a write until all others have processed it; default
 *     30 s
 * @param settlingTime time after its entry for which a server's view is incomplete: as long as a
 *     lease, after which every current member has observed the entry
 * @param longestTtl the longest time to live that any server of the group grants
 * @param maxUnackedBytes maximum number of unacknowledged bytes for one server; beyond that it gets
 *     no more messages
 */
public record PeerGroupConfig(
        String host,
        int port,
        Duration failureTimeout,
        Duration acknowledgementTimeout,
        Duration settlingTime,
        Duration longestTtl,
        long maxUnackedBytes) {

    /** Returns the part that concerns the links to other members. */
    PeerLinkConfig links() {
        return new PeerLinkConfig(failureTimeout, maxUnackedBytes);
    }
}
