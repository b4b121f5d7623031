package io.orestes.bench.caching;

import io.orestes.bench.client.Pipelined;
import io.orestes.bench.client.Site;
import io.orestes.bench.harness.Benchmark;
import io.orestes.bench.harness.BenchmarkEnvironment;
import io.orestes.bench.harness.Figure;
import io.orestes.bench.harness.Goal;
import io.orestes.bench.harness.Latencies;
import io.orestes.bench.harness.Orestes;
import io.orestes.bench.harness.Samples;
import io.orestes.support.process.Ports;
import io.orestes.support.varnish.Varnish;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Ten thousand queries that Varnish caches, 1,000 writes/s, each of which changes the result of
 * one: the time from the answer to a write to the first answer of Varnish that is not the old
 * result. That includes the round trip to Varnish and, as the result is purged, the query's
 * execution.
 */
public final class QueryInvalidationBenchmark implements Benchmark {

    private static final int QUERIES = 10_000;
    private static final int WRITES_PER_SECOND = 1000;
    private static final int WARM_UP_SECONDS = 40;
    private static final int ROUNDS = 3;
    private static final int SECONDS = 9;
    private static final int USERS = 128;
    private static final String BUCKET = "Cell";

    @Override
    public String group() {
        return "caching";
    }

    @Override
    public List<String> ids() {
        return List.of("query-invalidation-p50-ms", "query-invalidation-p99-ms");
    }

    @Override
    public void run(BenchmarkEnvironment lab, Consumer<Figure> report) throws Exception {
        BenchmarkEnvironment.say("query-invalidation");
        int port = Ports.free();
        Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1).setPreferNativeTransport(true));
        // half of the cache is filled without waiting for a second request
        try (Orestes orestes = Orestes.start(lab, List.of(port), "--query.max-cached=40000");
                Varnish varnish = lab.varnish(port, orestes.port())) {
            fill(orestes, varnish);
            measure(new Writer(vertx, orestes, varnish), report);
        } finally {
            var ignored =
                    vertx.close().toCompletionStage().toCompletableFuture().join();
        }
    }

    private static void fill(Orestes orestes, Varnish varnish) throws Exception {
        orestes.createClass(BUCKET, new Orestes.Field("place", "Integer"), new Orestes.Field("n", "Integer"));
        orestes.createIndex(BUCKET, "place");
        for (int from = 0; from < QUERIES; from += 1000) {
            orestes.importAll(
                    BUCKET,
                    IntStream.range(from, from + 1000)
                            .mapToObj(i -> "{\"id\":\"" + id(i) + "\"," + fields(i, 0) + "}")
                            .toList());
        }
        Pipelined.send(
                varnish.port(),
                2,
                IntStream.range(0, QUERIES)
                        .mapToObj(i -> Pipelined.get("/v1" + key(i)))
                        .toList());
    }

    private static void measure(Writer writer, Consumer<Figure> report) throws Exception {
        Samples p50 = new Samples();
        Samples p99 = new Samples();
        Samples old = new Samples();
        var ignored = writer.run(WARM_UP_SECONDS);
        for (int round = 0; round < ROUNDS; round++) {
            Latencies latencies = writer.run(SECONDS);
            p50.add(latencies.millis(0.50));
            p99.add(latencies.millis(0.99));
            old.add(100.0 * writer.oldAnswers / latencies.count());
        }
        String against = String.format(
                "%,d cached queries, %,d writes/s; %.2f %% of the first answers were old",
                QUERIES, WRITES_PER_SECOND, old.median());
        report.accept(new Figure("query-invalidation-p50-ms", p50.median(), "ms", Goal.atMost(5), against));
        report.accept(new Figure("query-invalidation-p99-ms", p99.median(), "ms", Goal.atMost(25), against));
    }

    private static String id(int place) {
        return "/db/" + BUCKET + "/c" + place;
    }

    private static String key(int place) {
        return "/db/" + BUCKET + "/query?q=%7B%22place%22%3A" + place + "%7D";
    }

    private static String fields(int place, int n) {
        return "\"place\":" + place + ",\"n\":" + n;
    }

    /** Writes at a fixed rate, and polls Varnish after each write; on one event loop. */
    private static final class Writer {
        private final Vertx vertx;
        private final Context home;
        private final Site writes;
        private final Site reads;
        private int next;
        private int oldAnswers;

        private Writer(Vertx vertx, Orestes orestes, Varnish varnish) {
            this.vertx = vertx;
            this.home = vertx.getOrCreateContext();
            this.writes = new Site(vertx, orestes.port(), USERS);
            this.reads = new Site(vertx, varnish.port(), USERS);
        }

        private Latencies run(int seconds) throws Exception {
            Latencies latencies = new Latencies();
            CompletableFuture<Void> done = new CompletableFuture<>();
            oldAnswers = 0;
            home.runOnContext(now -> write(latencies, System.nanoTime(), seconds * WRITES_PER_SECOND, done));
            done.get();
            return latencies;
        }

        /** Sends what is due, and polls again a millisecond later. */
        private void write(Latencies latencies, long begin, int total, CompletableFuture<Void> done) {
            int[] sent = {0};
            int[] open = {total};
            vertx.setPeriodic(1, timer -> {
                long due = Math.min(total, (System.nanoTime() - begin) * WRITES_PER_SECOND / 1_000_000_000L);
                while (sent[0] < due) {
                    sent[0]++;
                    write(latencies).onFailure(done::completeExceptionally).onSuccess(gone -> {
                        if (--open[0] == 0) {
                            done.complete(null);
                        }
                    });
                }
                if (sent[0] == total) {
                    var ignored = vertx.cancelTimer(timer);
                }
            });
        }

        private Future<Void> write(Latencies latencies) {
            int n = ++next;
            int place = (int) (n * 7919L % QUERIES);
            Buffer body = Buffer.buffer("{" + fields(place, n) + "}");
            return writes.send(HttpMethod.PUT, id(place), Map.of("Content-Type", "application/json"), body)
                    .compose(answer -> look(place, n, System.nanoTime(), latencies));
        }

        private Future<Void> look(int place, int n, long answered, Latencies latencies) {
            return reads.send(HttpMethod.GET, key(place), Map.of(), Buffer.buffer())
                    .compose(answer -> {
                        String text = answer.body().toString(StandardCharsets.UTF_8);
                        if (text.contains("\"n\":" + n + ",") || text.contains("\"n\":" + n + "}")) {
                            latencies.addNanos(System.nanoTime() - answered);
                            return Future.succeededFuture();
                        }
                        oldAnswers++;
                        return look(place, n, answered, latencies);
                    });
        }
    }
}
