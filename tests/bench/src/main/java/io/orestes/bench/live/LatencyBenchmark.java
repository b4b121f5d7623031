package io.orestes.bench.live;

import io.orestes.bench.client.Pipelined;
import io.orestes.bench.harness.BareServer;
import io.orestes.bench.harness.Benchmark;
import io.orestes.bench.harness.BenchmarkEnvironment;
import io.orestes.bench.harness.Figure;
import io.orestes.bench.harness.Goal;
import io.orestes.bench.harness.Orestes;
import io.orestes.bench.harness.Samples;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;

/**
 * Delay from a write to its event with one live query, over SSE; against a Vert.x handler that
 * pushes.
 */
public final class LatencyBenchmark implements Benchmark {

    private static final int WRITES_PER_SECOND = 1000;
    private static final int ROUNDS = 5;
    private static final int WARM_UP_SECONDS = 10;
    private static final int SECONDS = 5;

    @Override
    public String group() {
        return "product";
    }

    @Override
    public List<String> ids() {
        return List.of("live-1-p50-ms", "live-1-p99-ms");
    }

    @Override
    public void run(BenchmarkEnvironment lab, Consumer<Figure> report) throws IOException, InterruptedException {
        BenchmarkEnvironment.say("live-1");
        try (Orestes orestes = Orestes.start(lab);
                BareServer.Handle bare = BareServer.pushing(orestes)) {
            orestes.createClass(LiveRequests.LIVE, LiveRequests.fields());
            try (LiveLoad ours = new LiveLoad(orestes.port(), LiveRequests::replace);
                    LiveLoad theirs = new LiveLoad(bare.port(), LiveRequests::replace)) {
                var ignored = ours.subscribe(LiveRequests.eventStream());
                ignored = theirs.subscribe(Pipelined.get(BareServer.EVENTS));
                measure(ours, theirs, report);
            }
        }
    }

    private static void measure(LiveLoad ours, LiveLoad theirs, Consumer<Figure> report) throws IOException {
        Rounds our = new Rounds();
        Rounds their = new Rounds();
        ours.awaitSubscribed(answers -> true);
        theirs.awaitSubscribed(answers -> true);
        var ignored = ours.run(WRITES_PER_SECOND, WARM_UP_SECONDS);
        ignored = theirs.run(WRITES_PER_SECOND, WARM_UP_SECONDS / 2.0);
        for (int round = 0; round < ROUNDS; round++) {
            our.add(ours.run(WRITES_PER_SECOND, SECONDS));
            their.add(theirs.run(WRITES_PER_SECOND, SECONDS));
        }
        report.accept(new Figure(
                "live-1-p50-ms", our.p50.median(), "ms", Goal.atMost(2), their.describe("not durable, bare push")));
        report.accept(new Figure(
                "live-1-p99-ms", our.p99.median(), "ms", Goal.atMost(15), their.describe("not durable, bare push")));
    }

    /** Percentiles of several runs; every write must have caused one event. */
    private static final class Rounds {
        private final Samples p50 = new Samples();
        private final Samples p99 = new Samples();

        void add(LiveLoad.Outcome outcome) throws IOException {
            if (outcome.events() != outcome.writes()) {
                throw new IOException(outcome.writes() + " writes caused " + outcome.events() + " events");
            }
            p50.add(outcome.p50Millis());
            p99.add(outcome.p99Millis());
        }

        String describe(String what) {
            return String.format("%s p50 %.2f ms, p99 %.2f ms", what, p50.median(), p99.median());
        }
    }
}
