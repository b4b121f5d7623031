package io.orestes.bench.cluster;

import io.orestes.bench.client.DelayedLink;
import io.orestes.bench.client.Network;
import io.orestes.bench.client.Pipelined;
import io.orestes.bench.cluster.OfferedTransactions.Outcome;
import io.orestes.bench.harness.Benchmark;
import io.orestes.bench.harness.BenchmarkEnvironment;
import io.orestes.bench.harness.Figure;
import io.orestes.bench.harness.Goal;
import io.orestes.bench.harness.ServerGroup;
import io.orestes.support.mongo.Mongod;
import io.orestes.support.process.Ports;
import io.orestes.support.varnish.Varnish;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Transactions by any of three servers that are 100 ms away: from a Varnish beside the clients,
 * with a cache in the client, without any, and the same work in MongoDB's own transactions.
 */
public final class DistantScotBenchmark implements Benchmark {

    private static final Duration DISTANCE = Duration.ofMillis(100);

    /**
     * Ten at a time are ten per second, as each takes ten round trips: a thirtieth of what is
     * offered beside the servers. The number of objects is about a thirtieth, so each of them is
     * written as often.
     */
    private static final ClientLocation.Offer OFFER =
            new ClientLocation.Offer(40, 10, 600, Accounts.OBJECTS / 30, Duration.ofMinutes(1));

    @Override
    public String group() {
        return "servers";
    }

    @Override
    public List<String> ids() {
        return List.of("scot-far-aborts", "scot-far-copies-aborts");
    }

    @Override
    public void run(BenchmarkEnvironment lab, Consumer<Figure> report) throws Exception {
        BenchmarkEnvironment.say("scot-far-aborts, scot-far-copies-aborts");
        // servers lose their leases beside an installation
        String unused = lab.tool("varnish");
        Vertx vertx = ClientLocation.newVertx();
        try (Mongod mongo = lab.mongod()) {
            Outcome shared = shared(lab, vertx, mongo);
            try (ServerGroup group = ScotBenchmark.servers(lab, mongo)) {
                ClientLocation place = new ClientLocation(vertx, group.ports(), mongo.port());
                place.fillMongo();
                report(place.away(DISTANCE), shared, report);
            }
        } finally {
            var ignored =
                    vertx.close().toCompletionStage().toCompletableFuture().join();
        }
    }

    /** Runs them with a Varnish beside the clients that has all objects. */
    private static Outcome shared(BenchmarkEnvironment lab, Vertx vertx, Mongod mongo) throws Exception {
        int port = Ports.free();
        DelayedLink purges = DelayedLink.open(vertx, port, DISTANCE);
        try (ServerGroup group = ServerGroup.start(
                lab, mongo, "shared", List.of(purges.port()), ServerGroup.LONG_LEASE, "--caching.purge.deadline=1s")) {
            Accounts.fill(group.first());
            DelayedLink fetches = DelayedLink.open(vertx, group.first().port(), Duration.ZERO);
            try (Varnish varnish = lab.varnish(port, fetches.port())) {
                Pipelined.send(
                        varnish.port(),
                        2,
                        IntStream.range(0, OFFER.objects())
                                .mapToObj(number -> Pipelined.get("/v1" + Accounts.id(number)))
                                .toList());
                fetches.roundTrip(DISTANCE);
                ClientLocation place = new ClientLocation(vertx, group.ports(), mongo.port()).away(DISTANCE);
                int cache =
                        DelayedLink.open(vertx, varnish.port(), Network.NEAR).port();
                Outcome unused = place.behind(cache, OFFER.shorter());
                return place.behind(cache, OFFER);
            }
        }
    }

    private static void report(ClientLocation place, Outcome shared, Consumer<Figure> report) throws Exception {
        Outcome unused = place.withoutCaches(OFFER.shorter());
        Outcome copies = place.withCopies(OFFER);
        Outcome uncached = place.withoutCaches(OFFER);
        Outcome driver = place.inMongo(OFFER);
        String against = "without caches " + uncached + "; MongoDB's driver " + driver;
        report.accept(new Figure(
                "scot-far-aborts",
                shared.aborts() / uncached.aborts(),
                "ratio",
                Goal.atMost(1),
                "with a Varnish 4 ms away " + shared + "; " + against));
        report.accept(new Figure(
                "scot-far-copies-aborts",
                copies.aborts() / uncached.aborts(),
                "ratio",
                Goal.atMost(1),
                "with a cache and the filter in the client " + copies + "; " + against));
    }
}
