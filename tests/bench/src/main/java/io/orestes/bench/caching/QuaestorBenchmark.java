package io.orestes.bench.caching;

import io.orestes.bench.client.Network;
import io.orestes.bench.client.Pipelined;
import io.orestes.bench.harness.Benchmark;
import io.orestes.bench.harness.BenchmarkEnvironment;
import io.orestes.bench.harness.Figure;
import io.orestes.bench.harness.Goal;
import io.orestes.bench.harness.Plot;
import io.orestes.bench.harness.Samples;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The evaluation of Quaestor (VLDB 2017, section 6): users 145 ms away from the server and 4 ms
 * from a Varnish, with the SDK in their browsers, against the same users without any cache. Varnish
 * is warm, like one with many other users: everything was read through it once. Then the share of
 * stale reads, by the interval at which filters are loaded.
 */
public final class QuaestorBenchmark implements Benchmark {

    private static final Duration FAR = Duration.ofMillis(145);
    private static final int USERS = 100;
    private static final int ROUNDS = 3;
    private static final Duration WARM_UP = Duration.ofSeconds(30);
    private static final Duration CACHED = Duration.ofSeconds(15);
    private static final Duration UNCACHED = Duration.ofSeconds(8);
    private static final int[] INTERVALS = {1, 2, 5, 10, 20, 40};

    @Override
    public String group() {
        return "caching";
    }

    @Override
    public List<String> ids() {
        return List.of("quaestor-throughput", "quaestor-latency", "quaestor-stale");
    }

    @Override
    public void run(BenchmarkEnvironment lab, Consumer<Figure> report) throws Exception {
        BenchmarkEnvironment.say("quaestor");
        QuaestorWorkload shop = new QuaestorWorkload();
        try (Network network = Network.start(lab, Duration.ZERO)) {
            shop.fill(network.orestes());
            Pipelined.send(
                    network.varnishPort(),
                    2,
                    shop.keys().stream().map(key -> Pipelined.get("/v1" + key)).toList());
            network.far(FAR);
            SimulatedUsers crowd = new SimulatedUsers(shop, network, USERS);
            compare(crowd, report);
            report.accept(staleness(lab, crowd));
        }
    }

    private static void compare(SimulatedUsers crowd, Consumer<Figure> report) throws Exception {
        Tally ignored = crowd.cached(WARM_UP);
        Samples throughput = new Samples();
        Samples latency = new Samples();
        String last = "";
        for (int round = 0; round < ROUNDS; round++) {
            Tally with = crowd.cached(CACHED);
            Tally without = crowd.uncached(UNCACHED);
            throughput.add(with.perSecond() / without.perSecond());
            latency.add(without.millis() / with.millis());
            last = String.format(
                    "%d users, last round: %,.0f operations/s of %.1f ms with caches, %,.0f/s of %.1f ms without; %s",
                    USERS, with.perSecond(), with.millis(), without.perSecond(), without.millis(), with.sources());
        }
        report.accept(new Figure("quaestor-throughput", throughput.median(), "ratio", Goal.atLeast(11), last));
        report.accept(new Figure("quaestor-latency", latency.median(), "ratio", Goal.atLeast(11), last));
    }

    private static Figure staleness(BenchmarkEnvironment lab, SimulatedUsers crowd) throws Exception {
        List<String> ticks = new ArrayList<>();
        List<Double> objects = new ArrayList<>();
        List<Double> queries = new ArrayList<>();
        for (int seconds : INTERVALS) {
            crowd.bound(Duration.ofSeconds(seconds));
            Tally ignored = crowd.cached(Duration.ofSeconds(seconds));
            Tally tally = crowd.cached(Duration.ofSeconds(Math.max(10, seconds)));
            ticks.add(seconds + " s");
            objects.add(100 * tally.staleObjects());
            queries.add(100 * tally.staleQueries());
        }
        plot(lab, ticks, objects, queries);
        String against = String.format(
                "filter loaded every %s: objects %s %%, queries %s %%", ticks, percent(objects), percent(queries));
        return new Figure("quaestor-stale", objects.get(ticks.indexOf("10 s")), "%", Goal.NONE, against);
    }

    private static List<String> percent(List<Double> values) {
        return values.stream().map(value -> String.format("%.2f", value)).toList();
    }

    private static void plot(BenchmarkEnvironment lab, List<String> ticks, List<Double> objects, List<Double> queries)
            throws IOException {
        Plot plot = new Plot(
                "Stale reads by how often clients load the filter", "filter interval", "stale reads, %", ticks);
        plot.line("objects", objects);
        plot.line("query results", queries);
        plot.write(lab.root().resolve("docs/bench/quaestor-stale.svg"));
    }
}
