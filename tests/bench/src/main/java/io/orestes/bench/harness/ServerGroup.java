package io.orestes.bench.harness;

import io.orestes.support.mongo.Mongod;
import io.orestes.support.zookeeper.Ensemble;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

/**
 * Three servers of one group: on one ZooKeeper ensemble and one database of a mongod that others
 * may use, too.
 */
public final class ServerGroup implements AutoCloseable {

    /** Lease for load under which servers stall for longer than their default leases. */
    public static final String LONG_LEASE = "--group.lease=8s";

    private static final int SIZE = 3;

    private final Ensemble ensemble;
    private final List<Orestes> servers = new ArrayList<>();

    private ServerGroup(Ensemble ensemble) {
        this.ensemble = ensemble;
    }

    /**
     * Returns when all servers are ready.
     *
     * @param database name of their database
     * @param purged ports of this machine where each of them purges Varnish
     */
    public static ServerGroup start(
            BenchmarkEnvironment lab, Mongod mongo, String database, List<Integer> purged, String... flags)
            throws Exception {
        ServerGroup group = new ServerGroup(lab.zooKeeper());
        try {
            for (int number = 0; number < SIZE; number++) {
                group.servers.add(Orestes.start(lab, purged, group.flags(mongo.connectionString(database), flags)));
            }
            return group;
        } catch (Exception e) {
            group.close();
            throw e;
        }
    }

    private String[] flags(String mongo, String... further) {
        Stream<String> own = Stream.of("--mongo=" + mongo, "--zookeeper=" + ensemble.address());
        return Stream.concat(own, Stream.of(further)).toArray(String[]::new);
    }

    public List<Orestes> servers() {
        return Collections.unmodifiableList(servers);
    }

    public List<Integer> ports() {
        return servers.stream().map(Orestes::port).toList();
    }

    /** Returns any of the servers. */
    public Orestes first() {
        return servers.get(0);
    }

    @Override
    public void close() {
        servers.forEach(Orestes::close);
        ensemble.close();
    }
}
