package io.orestes.bench;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.function.Consumer;

/** How long after a write its event arrives when 10,000 queries, 100 on each of 100 WebSockets, select distinct ranges. */
final class ManyQueriesBenchmark implements Benchmark {

    private static final int CONNECTIONS = 100;
    private static final int QUERIES_PER_CONNECTION = LiveRequests.RANGE / CONNECTIONS;
    private static final int WRITES_PER_SECOND = 1000;
    private static final int ROUNDS = 3;
    private static final int WARM_UP_SECONDS = 10;
    private static final int SECONDS = 5;

    @Override
    public String group() {
        return "product";
    }

    @Override
    public List<String> ids() {
        return List.of("live-10k-p99-ms");
    }

    @Override
    public void run(Lab lab, Consumer<Figure> report) throws IOException, InterruptedException {
        Lab.say("live-10k");
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
        Samples p50 = new Samples();
        Samples p99 = new Samples();
        var ignored = load.run(WRITES_PER_SECOND, WARM_UP_SECONDS);
        for (int round = 0; round < ROUNDS; round++) {
            LiveLoad.Outcome outcome = load.run(WRITES_PER_SECOND, SECONDS);
            if (outcome.events() != outcome.writes()) {
                throw new IOException(outcome.writes() + " writes caused " + outcome.events() + " events");
            }
            p50.add(outcome.p50Millis());
            p99.add(outcome.p99Millis());
        }
        String against = String.format("p50 %.2f ms, of which 5 ms are meant (live.socket-delay)", p50.median());
        return new Figure("live-10k-p99-ms", p99.median(), "ms", Goal.atMost(30), against);
    }
}
