package io.orestes.bench.product;

import io.orestes.bench.harness.Benchmark;
import io.orestes.bench.harness.BenchmarkEnvironment;
import io.orestes.bench.harness.Figure;
import io.orestes.bench.harness.Goal;
import io.orestes.bench.harness.Orestes;
import io.orestes.bench.harness.Samples;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Duration of a start and memory of an idle server. */
public final class StartBenchmark implements Benchmark {

    private static final int ROUNDS = 7;
    private static final int IDLE_SECONDS = 2;

    @Override
    public String group() {
        return "product";
    }

    @Override
    public List<String> ids() {
        return List.of("start-ready-s", "idle-rss-mb");
    }

    @Override
    public void run(BenchmarkEnvironment lab, Consumer<Figure> report) throws IOException, InterruptedException {
        BenchmarkEnvironment.say("starting and stopping");
        Samples seconds = new Samples();
        Samples megabytes = new Samples();
        for (int round = 0; round < ROUNDS; round++) {
            try (Orestes orestes = Orestes.start(lab)) {
                seconds.add(orestes.secondsToReady());
                TimeUnit.SECONDS.sleep(IDLE_SECONDS);
                megabytes.add(orestes.residentMegabytes());
            }
        }
        String how = "median of " + ROUNDS + " starts on an empty folder, built before";
        report.accept(new Figure("start-ready-s", seconds.median(), "s", Goal.atMost(1.5), how));
        report.accept(new Figure(
                "idle-rss-mb", megabytes.median(), "MB", Goal.atMost(200), IDLE_SECONDS + " s after the same starts"));
    }
}
