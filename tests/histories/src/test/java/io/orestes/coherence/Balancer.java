package io.orestes.coherence;

import io.orestes.histories.cluster.Cluster;
import io.orestes.histories.cluster.Node;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Forwards each request to one of several servers, mostly to one that answered the last time.
 * Thread-safe.
 */
final class Balancer implements Proxy.Rule {

    /** Timeout of reads, which are repeated. */
    private static final int SOON_MILLIS = 3_000;

    /** Timeout of writes, longer than any fault: an unanswered write may be done at any time. */
    private static final int LATER_MILLIS = 40_000;

    private static final long SUSPICION_NANOS = 3_000_000_000L;
    private static final double TRUST = 0.05;

    private final List<InetSocketAddress> servers;
    private final AtomicLongArray suspectUntil;
    private final ThreadLocal<List<HttpConnection>> readers;
    private final ThreadLocal<List<HttpConnection>> writers;

    Balancer(List<Node> nodes) {
        servers = nodes.stream()
                .map(Cluster::base)
                .map(URI::create)
                .map(base -> new InetSocketAddress(base.getHost(), base.getPort()))
                .toList();
        suspectUntil = new AtomicLongArray(servers.size());
        for (int i = 0; i < servers.size(); i++) {
            suspectUntil.set(i, System.nanoTime());
        }
        readers = ThreadLocal.withInitial(() -> wires(SOON_MILLIS));
        writers = ThreadLocal.withInitial(() -> wires(LATER_MILLIS));
    }

    private List<HttpConnection> wires(int patienceMillis) {
        List<HttpConnection> wires = new ArrayList<>();
        servers.forEach(server -> wires.add(new HttpConnection(server, patienceMillis)));
        return wires;
    }

    @Override
    public Message answer(Message request, HttpConnection nowhere) throws IOException {
        int server = any();
        try {
            Message answer = (request.method().equals("GET") ? readers : writers)
                    .get()
                    .get(server)
                    .send(request);
            if (answer.status() >= 500) {
                suspect(server);
            }
            return answer;
        } catch (IOException broken) {
            suspect(server);
            throw broken;
        }
    }

    private int any() {
        ThreadLocalRandom dice = ThreadLocalRandom.current();
        int chosen = dice.nextInt(servers.size());
        for (int i = 0; i < servers.size() && isSuspect(chosen) && dice.nextDouble() > TRUST; i++) {
            chosen = (chosen + 1) % servers.size();
        }
        return chosen;
    }

    private boolean isSuspect(int server) {
        return suspectUntil.get(server) - System.nanoTime() > 0;
    }

    private void suspect(int server) {
        suspectUntil.set(server, System.nanoTime() + SUSPICION_NANOS);
    }
}
