package io.orestes.bench.caching;

import io.orestes.bench.client.Wrk;
import io.orestes.bench.harness.AlternatingLoad;
import io.orestes.bench.harness.Benchmark;
import io.orestes.bench.harness.BenchmarkEnvironment;
import io.orestes.bench.harness.Documents;
import io.orestes.bench.harness.Figure;
import io.orestes.bench.harness.Goal;
import io.orestes.bench.harness.Orestes;
import io.orestes.support.varnish.Varnish;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;

/**
 * An object of 1 KB from the server's own cache, from Varnish with our VCL, and from Varnish with
 * an empty one.
 */
public final class SharedHitBenchmark implements Benchmark {

    private static final int ROUNDS = 5;
    private static final int WARM_UP_SECONDS = 5;
    private static final int SECONDS = 3;
    private static final String OBJECT = "/v1/db/" + Documents.ITEM + "/large";

    @Override
    public String group() {
        return "caching";
    }

    @Override
    public List<String> ids() {
        return List.of("varnish-hit-vs-empty", "builtin-hit-vs-varnish", "304-vs-hit");
    }

    @Override
    public void run(BenchmarkEnvironment lab, Consumer<Figure> report) throws IOException, InterruptedException {
        BenchmarkEnvironment.say("varnish-hit-vs-empty and those beside it");
        Wrk wrk = Wrk.find(lab);
        try (Orestes orestes = Orestes.start(lab)) {
            orestes.createClass(Documents.ITEM, Documents.itemFields());
            orestes.put(OBJECT, Documents.item("large", 0, 1024));
            String condition = "If-None-Match: "
                    + orestes.getCached(OBJECT).headers().firstValue("ETag").orElseThrow();
            try (Varnish ours = lab.varnish(orestes.port());
                    Varnish empty = Varnish.empty(lab.tool("varnish"), orestes.port())) {
                report(
                        new AlternatingLoad()
                                .with("server", seconds -> wrk.rate(seconds, orestes.url(OBJECT)))
                                .with("varnish", seconds -> wrk.rate(seconds, ours.base() + OBJECT))
                                .with("empty", seconds -> wrk.rate(seconds, empty.base() + OBJECT))
                                .with("304", seconds -> wrk.rate(seconds, orestes.url(OBJECT), "-H", condition))
                                .run(WARM_UP_SECONDS, ROUNDS, SECONDS),
                        report);
            }
        }
    }

    private static void report(AlternatingLoad turns, Consumer<Figure> report) {
        report.accept(figure("varnish-hit-vs-empty", turns, "varnish", "empty", 0.90));
        report.accept(figure("builtin-hit-vs-varnish", turns, "server", "varnish", 1.5));
        report.accept(figure("304-vs-hit", turns, "304", "server", 0.80));
    }

    private static Figure figure(String id, AlternatingLoad turns, String side, String other, double goal) {
        String against = String.format("%s %,.0f/s, %s %,.0f/s", side, turns.median(side), other, turns.median(other));
        return new Figure(id, turns.ratio(side, other), "ratio", Goal.atLeast(goal), against);
    }
}
