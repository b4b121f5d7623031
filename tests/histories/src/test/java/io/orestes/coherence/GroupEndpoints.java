package io.orestes.coherence;

import io.orestes.histories.cluster.Classes;
import io.orestes.histories.cluster.Cluster;
import java.io.IOException;
import java.time.Duration;

/** Three servers behind one port, which forwards each request to any of them. */
final class GroupEndpoints implements ServiceEndpoints, AutoCloseable {

    /** Time until all data in buffers of a connection that was cut has arrived. */
    private static final Duration AFTERMATH = Duration.ofSeconds(15);

    private final Cluster cluster;
    private final Proxy proxy;

    GroupEndpoints(Cluster cluster) throws IOException {
        this.cluster = cluster;
        this.proxy = new Proxy(0);
        proxy.rule(new Balancer(cluster.servers()));
    }

    @Override
    public int serverPort() {
        return proxy.port();
    }

    @Override
    public int readerPort() {
        return proxy.port();
    }

    @Override
    public String newClass() throws IOException, InterruptedException {
        new Classes(cluster)
                .create(
                        "Item",
                        """
                        {"g":{"name":"g","type":"/db/Integer"},"n":{"name":"n","type":"/db/Integer"},
                        "text":{"name":"text","type":"/db/String"}}""");
        return "Item";
    }

    @Override
    public Duration aftermath() {
        return AFTERMATH;
    }

    @Override
    public void close() {
        proxy.close();
    }
}
