package io.orestes.coherence;

import io.orestes.histories.cluster.Classes;
import io.orestes.histories.cluster.Cluster;
import java.io.IOException;
import java.time.Duration;

/** Three servers, which clients reach by one port that passes each request on to any of them. */
final class ServersPlace implements Place, AutoCloseable {

    /** Until all that waits in buffers on a way that was cut has arrived. */
    private static final Duration AFTERMATH = Duration.ofSeconds(15);

    private final Cluster cluster;
    private final Proxy proxy;

    ServersPlace(Cluster cluster) throws IOException {
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
