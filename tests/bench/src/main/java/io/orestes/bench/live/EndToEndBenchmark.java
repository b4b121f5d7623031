package io.orestes.bench.live;

import io.orestes.bench.harness.Benchmark;
import io.orestes.bench.harness.BenchmarkEnvironment;
import io.orestes.bench.harness.Figure;
import io.orestes.bench.harness.Goal;
import io.orestes.bench.harness.Orestes;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;

/**
 * 10,000 live queries, each a range of its own on an event stream of its own, through the whole
 * product: the delay from a write to its event, and the maximum of writes per second with a 99th
 * percentile below 100 ms.
 */
public final class EndToEndBenchmark implements Benchmark {

    private static final int[] LADDER = {2000, 3000, 4100, 5000, 6000, 8000, 10_000, 13_000, 16_000, 20_000, 25_000};
    private static final int SECONDS = 5;

    @Override
    public String group() {
        return "invalidb";
    }

    @Override
    public List<String> ids() {
        return List.of("e2e-10k-p99-ms", "e2e-max-writes");
    }

    @Override
    public void run(BenchmarkEnvironment lab, Consumer<Figure> report) throws IOException, InterruptedException {
        BenchmarkEnvironment.say("e2e-10k");
        try (Orestes orestes = Orestes.start(lab)) {
            orestes.createClass(LiveRequests.LIVE, LiveRequests.fields());
            try (LiveLoad load = new LiveLoad(orestes.port(), LiveRequests::insert)) {
                subscribe(load);
                report.accept(delay(load));
                report.accept(climb(load));
            }
        }
    }

    private static void subscribe(LiveLoad load) throws IOException {
        for (int i = 0; i < LiveRequests.RANGE; i++) {
            var ignored = load.subscribe(LiveRequests.eventStream(i));
            if (i % 100 == 99) {
                load.awaitSubscribed(answers -> true);
            }
        }
    }

    private static Figure delay(LiveLoad load) throws IOException {
        Delays delays = Delays.measure(load);
        String against = String.format("1,000 writes/s, p50 %.2f ms", delays.p50());
        return new Figure("e2e-10k-p99-ms", delays.p99(), "ms", Goal.atMost(20), against);
    }

    private static Figure climb(LiveLoad load) throws IOException {
        RateLadder climber = new RateLadder(load, 1, SECONDS);
        for (int rate : LADDER) {
            climber.step(rate);
        }
        String against = String.format("p99 %.0f ms", climber.p99Millis());
        return new Figure("e2e-max-writes", climber.eventsPerSecond(), "writes/s", Goal.atLeast(4000), against);
    }
}
