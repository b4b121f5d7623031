package io.orestes.bench.live;

import io.orestes.bench.harness.Benchmark;
import io.orestes.bench.harness.BenchmarkEnvironment;
import io.orestes.bench.harness.Figure;
import io.orestes.bench.harness.Goal;
import io.orestes.bench.harness.Orestes;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.function.Consumer;

/**
 * Delay from a write to its event when 10,000 queries, 100 on each of 100 WebSockets, select
 * distinct ranges.
 */
public final class ManyQueriesBenchmark implements Benchmark {

    private static final int CONNECTIONS = 100;
    private static final int QUERIES_PER_CONNECTION = LiveRequests.RANGE / CONNECTIONS;

    @Override
    public String group() {
        return "product";
    }

    @Override
    public List<String> ids() {
        return List.of("live-10k-p99-ms");
    }

    @Override
    public void run(BenchmarkEnvironment lab, Consumer<Figure> report) throws IOException, InterruptedException {
        BenchmarkEnvironment.say("live-10k");
        try (Orestes orestes = Orestes.start(lab)) {
            orestes.createClass(LiveRequests.LIVE, LiveRequests.fields());
            try (LiveLoad load = new LiveLoad(orestes.port(), LiveRequests::insert)) {
                subscribe(load);
                report.accept(measure(load));
            }
        }
    }

    private static void subscribe(LiveLoad load) throws IOException {
        for (int connection = 0; connection < CONNECTIONS; connection++) {
            SocketChannel socket = load.subscribe(LiveRequests.webSocket());
            load.awaitSubscribed(answers -> true);
            for (int i = 0; i < QUERIES_PER_CONNECTION; i++) {
                LiveLoad.send(socket, LiveRequests.subscribeRange(i * CONNECTIONS + connection));
            }
        }
        load.awaitSubscribed(answers -> answers >= QUERIES_PER_CONNECTION);
    }

    private static Figure measure(LiveLoad load) throws IOException {
        Delays delays = Delays.measure(load);
        String against = String.format("p50 %.2f ms, of which 5 ms are meant (live.socket-delay)", delays.p50());
        return new Figure("live-10k-p99-ms", delays.p99(), "ms", Goal.atMost(30), against);
    }
}
