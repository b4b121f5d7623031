package io.orestes.bench.caching;

import io.orestes.bench.client.Network;
import io.orestes.bench.client.Site;
import io.orestes.bench.client.Steps;
import io.orestes.bench.harness.Benchmark;
import io.orestes.bench.harness.BenchmarkEnvironment;
import io.orestes.bench.harness.Documents;
import io.orestes.bench.harness.Figure;
import io.orestes.bench.harness.Goal;
import io.orestes.bench.harness.Plot;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * The benchmark of ORESTES, section V: distant users run 500 operations, one after the other, on
 * 300 objects that are equally likely, three times with persistent caches. Each has objects of
 * their own, so that hits can be predicted: a read is one if the last operation on its object was a
 * read, which after n operations has the probability {@code r (1 - (1 - 1/300)^n)} for a share r of
 * reads.
 */
public final class SessionsBenchmark implements Benchmark {

    private static final Duration FAR = Duration.ofMillis(165);
    private static final int USERS = 20;
    private static final int OBJECTS = 300;
    private static final int OPERATIONS = 500;
    private static final int RUNS = 3;
    private static final int UNCACHED_OPERATIONS = 100;
    private static final double[] READS = {0.90, 0.99};

    @Override
    public String group() {
        return "caching";
    }

    @Override
    public List<String> ids() {
        return List.of("orestes-run3");
    }

    @Override
    public void run(BenchmarkEnvironment lab, Consumer<Figure> report) throws Exception {
        BenchmarkEnvironment.say("orestes-run3");
        Plot plot = new Plot(
                "How many times faster than without caching",
                "each run 500 operations on 300 objects, 165 ms from the server",
                "speed-up",
                List.of("run 1", "run 2", "run 3"));
        for (double reads : READS) {
            try (Network network = Network.start(lab, FAR)) {
                network.orestes().createClass(Documents.ITEM, Documents.itemFields());
                for (int user = 0; user < USERS; user++) {
                    int owner = user;
                    network.orestes()
                            .importAll(
                                    Documents.ITEM,
                                    IntStream.range(0, OBJECTS)
                                            .mapToObj(i -> Documents.item(key(owner, i), 0, 300))
                                            .toList());
                }
                network.orestes().put("/v1/db/" + Documents.ITEM + "/uncached", Documents.item("uncached", 0, 300));
                plot.line(String.format("%.0f %% reads", 100 * reads), measure(network, reads, report));
            }
        }
        plot.write(lab.root().resolve("docs/bench/orestes-runs.svg"));
    }

    private static String key(int user, int object) {
        return "u" + user + "-" + object;
    }

    /** Returns the speed-up of each run. */
    private static List<Double> measure(Network network, double reads, Consumer<Figure> report) throws Exception {
        Site cached = network.cached(2 * USERS);
        Site direct = network.direct(USERS);
        List<Session> sessions = new ArrayList<>();
        for (int user = 0; user < USERS; user++) {
            sessions.add(new Session(network, user, reads, new Browser(cached, Duration.ofMinutes(10)), direct));
        }
        List<String> runs = new ArrayList<>();
        List<Double> speedUps = new ArrayList<>();
        double deviation = 0;
        for (int run = 0; run < RUNS; run++) {
            double with = millis(sessions.stream().map(Session::cachedRun).toList());
            double without = millis(sessions.stream().map(Session::uncachedRun).toList());
            double hits = sessions.stream().mapToInt(Session::takeHits).sum() / (double) (USERS * OPERATIONS);
            double formula = expectedHits(reads, run);
            speedUps.add(without / with);
            deviation = Math.max(deviation, Math.abs(hits / formula - 1));
            runs.add(String.format("%.1f (hits %.3f, formula %.3f)", without / with, hits, formula));
        }
        String against = String.format(
                "%.0f %% reads, runs 1 to 3: %s; hits differ by %.1f %% at most; writes alone allow %.0f",
                100 * reads, String.join(", ", runs), 100 * deviation, 1 / (1 - reads));
        report.accept(new Figure(
                "orestes-run3",
                speedUps.get(RUNS - 1),
                "ratio",
                reads > 0.95 ? Goal.atLeast(10.9) : Goal.NONE,
                against));
        return speedUps;
    }

    /** Returns the mean duration of an operation. */
    private static double millis(List<Future<Double>> runs) throws Exception {
        var ignored = Future.all(runs).toCompletionStage().toCompletableFuture().get();
        return runs.stream().mapToDouble(Future::result).average().orElseThrow();
    }

    /** Returns the share of all operations of a run. */
    private static double expectedHits(double reads, int run) {
        return IntStream.range(run * OPERATIONS, (run + 1) * OPERATIONS)
                .mapToDouble(before -> reads * reads * (1 - Math.pow(1 - 1.0 / OBJECTS, before)))
                .average()
                .orElseThrow();
    }

    /** One user, on one event loop. */
    private static final class Session {
        private final Network network;
        private final int user;
        private final double reads;
        private final Browser browser;
        private final Site direct;
        private final Random random;
        private int hits;

        private Session(Network network, int user, double reads, Browser browser, Site direct) {
            this.network = network;
            this.user = user;
            this.reads = reads;
            this.browser = browser;
            this.direct = direct;
            this.random = new Random(user);
        }

        private int takeHits() {
            int taken = hits;
            hits = 0;
            return taken;
        }

        private Future<Double> cachedRun() {
            return timed(OPERATIONS, () -> random.nextDouble() < reads ? cachedRead() : browser.write(id(), item()));
        }

        private Future<?> cachedRead() {
            return browser.read(id()).onSuccess(read -> hits += read.isHit() ? 1 : 0);
        }

        private Future<Double> uncachedRun() {
            Map<String, String> newest = Map.of("Cache-Control", "no-cache");
            Map<String, String> json = Map.of("Content-Type", "application/json");
            return timed(
                    UNCACHED_OPERATIONS,
                    () -> random.nextDouble() < reads
                            ? direct.send(HttpMethod.GET, "/db/Item/uncached", newest, Buffer.buffer())
                            : direct.send(HttpMethod.PUT, "/db/Item/uncached", json, item("uncached")));
        }

        private String id() {
            return "/db/" + Documents.ITEM + "/" + key(user, random.nextInt(OBJECTS));
        }

        private Buffer item() {
            return item("");
        }

        private static Buffer item(String name) {
            return Buffer.buffer("{\"name\":\"" + name + "\",\"shelf\":1}");
        }

        private Future<Double> timed(int operations, Steps.Step step) {
            Promise<Double> done = Promise.promise();
            network.home().runOnContext(now -> {
                long begin = System.nanoTime();
                Steps.repeat(network.home(), operations, step)
                        .map(end -> (System.nanoTime() - begin) / 1e6 / operations)
                        .onComplete(done);
            });
            return done.future();
        }
    }
}
