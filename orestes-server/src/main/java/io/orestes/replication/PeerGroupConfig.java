package io.orestes.replication;

import java.time.Duration;

/**
 * The configuration of replication between the servers of a group: addresses, time-outs and the
 * limit of unacknowledged bytes.
 *
 * @param host where this server listens to the others; by default 127.0.0.1
 * @param port the port for that; 0 for any
 * @param patience how long another server may be silent while messages to it are open, before it
 *     counts as failed; default 1 s
 * @param deadline how long a write waits until all others have processed it; default 30 s
 * @param settling how long after its entry a server knows nothing for certain: as long as a lease,
 *     after which every member that is still current has been shown the entry
 * @param longestTtl the longest time for which any server of the group lets caches hold something
 * @param mostBytes most unacknowledged bytes for one server; beyond that it gets no more messages
 */
public record PeerGroupConfig(
        String host,
        int port,
        Duration patience,
        Duration deadline,
        Duration settling,
        Duration longestTtl,
        long mostBytes) {}
