package io.orestes.bench.caching;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.orestes.bench.client.Pipelined;
import io.orestes.bench.harness.Benchmark;
import io.orestes.bench.harness.BenchmarkEnvironment;
import io.orestes.bench.harness.Figure;
import io.orestes.bench.harness.Goal;
import io.orestes.bench.harness.Samples;
import io.orestes.caching.purge.PurgeConfig;
import io.orestes.caching.purge.Purger;
import io.orestes.caching.purge.SharedCaches;
import io.orestes.caching.purge.VarnishTarget;
import io.orestes.support.varnish.Varnish;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Ten thousand purges of objects of 1 KB that one varnishd caches: by the server's purger, from the
 * first request to the last confirmation, and by a client that does nothing else over as many
 * connections, which shows the capacity of varnishd.
 */
public final class PurgeBenchmark implements Benchmark {

    private static final int ROUNDS = 7;
    private static final int CONNECTIONS = 2;

    private final List<String> paths =
            IntStream.range(0, 10_000).mapToObj(i -> "/v1/db/Test/key" + i).toList();

    @Override
    public String group() {
        return "caching";
    }

    @Override
    public List<String> ids() {
        return List.of("purges-per-s");
    }

    @Override
    public void run(BenchmarkEnvironment lab, Consumer<Figure> report) throws Exception {
        BenchmarkEnvironment.say("purges-per-s");
        Vertx vertx = Vertx.vertx();
        HttpServer origin = vertx.createHttpServer()
                .requestHandler(request -> request.response()
                        .putHeader("Cache-Control", "public, max-age=600, s-maxage=3600")
                        .end(Buffer.buffer(new byte[1024])))
                .listen(0, "127.0.0.1")
                .toCompletionStage()
                .toCompletableFuture()
                .get();
        try (Varnish varnish = lab.varnish(origin.actualPort())) {
            report.accept(compare(vertx, varnish.port()));
        } finally {
            var ignored =
                    vertx.close().toCompletionStage().toCompletableFuture().join();
        }
    }

    private Figure compare(Vertx vertx, int port) throws Exception {
        PurgeConfig config = new PurgeConfig(
                List.of(new VarnishTarget("127.0.0.1", port)),
                BenchmarkEnvironment.PURGE_SECRET,
                Duration.ofMinutes(5),
                Duration.ofMinutes(5),
                100_000,
                0);
        SharedCaches caches = Purger.start(vertx, config, Duration.ofHours(1), new SimpleMeterRegistry())
                .toCompletionStage()
                .toCompletableFuture()
                .get();
        Samples ours = new Samples();
        Samples limit = new Samples();
        for (int round = 0; round < ROUNDS; round++) {
            ours.add(rate(port, () -> purge(caches)));
            limit.add(rate(port, () -> Pipelined.send(port, CONNECTIONS, requests("PURGE"))));
        }
        String against = String.format(
                "%,.0f/s by a client that does nothing else, so %.2f of the limit",
                limit.median(), ours.median() / limit.median());
        return new Figure("purges-per-s", ours.median(), "purges/s", Goal.atLeast(20_000), against);
    }

    private double rate(int port, Runnable purges) {
        Pipelined.send(port, CONNECTIONS, requests("GET"));
        long begin = System.nanoTime();
        purges.run();
        return paths.size() * 1e9 / (System.nanoTime() - begin);
    }

    private void purge(SharedCaches caches) {
        paths.forEach(caches::purge);
        var ignored = caches.awaitConfirmed()
                .toCompletionStage()
                .toCompletableFuture()
                .join();
    }

    private List<String> requests(String method) {
        String end =
                " HTTP/1.1\r\nHost: bench\r\nOrestes-Purge-Secret: " + BenchmarkEnvironment.PURGE_SECRET + "\r\n\r\n";
        return paths.stream().map(path -> method + " " + path + end).toList();
    }
}
