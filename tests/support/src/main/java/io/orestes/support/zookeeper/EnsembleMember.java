package io.orestes.support.zookeeper;

import io.orestes.support.process.ExecutionContext;

/**
 * The place of one server of an ensemble.
 *
 * @param host its address
 * @param clientPort for clients
 * @param followerPort for those that follow it when it leads
 * @param electionPort for elections
 */
public record EnsembleMember(
        String host, int clientPort, int followerPort, int electionPort, ExecutionContext context) {

    /** Returns a place on a host of its own, where the usual ports are free. */
    public static EnsembleMember at(String host, ExecutionContext context) {
        return new EnsembleMember(host, 2181, 2888, 3888, context);
    }

    /** Returns the address for clients. */
    String address() {
        return host + ":" + clientPort;
    }
}
