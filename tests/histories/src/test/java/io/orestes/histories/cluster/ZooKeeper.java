package io.orestes.histories.cluster;

import io.orestes.support.zookeeper.Ensemble;
import io.orestes.support.zookeeper.EnsembleMember;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

/** An ensemble of three, each on a host of its own. */
public final class ZooKeeper implements AutoCloseable {

    private static final int SIZE = 3;

    private final Ensemble ensemble;
    private final List<Node> members;

    private ZooKeeper(Ensemble ensemble, List<Node> members) {
        this.ensemble = ensemble;
        this.members = members;
    }

    /** Starts all members, with their data in a folder that does not exist yet. */
    static ZooKeeper start(Network network, Path folder) {
        List<Host> hosts = IntStream.range(0, SIZE)
                .mapToObj(number -> network.add("zookeeper" + number))
                .toList();
        Ensemble ensemble = Ensemble.in(folder)
                .members(hosts.stream()
                        .map(host -> EnsembleMember.at(host.address(), Network.context(host)))
                        .toList())
                .setting("syncLimit", "10")
                .start();
        return new ZooKeeper(
                ensemble,
                IntStream.range(0, SIZE)
                        .mapToObj(number ->
                                new Node(hosts.get(number), ensemble.processes().get(number)))
                        .toList());
    }

    /** Returns the address at which clients reach the ensemble. */
    String address() {
        return ensemble.address();
    }

    public List<Node> members() {
        return members;
    }

    @Override
    public void close() {
        ensemble.close();
    }
}
