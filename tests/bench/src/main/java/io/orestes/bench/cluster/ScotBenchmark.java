package io.orestes.bench.cluster;

import io.orestes.bench.cluster.OfferedTransactions.Outcome;
import io.orestes.bench.harness.Benchmark;
import io.orestes.bench.harness.BenchmarkEnvironment;
import io.orestes.bench.harness.Figure;
import io.orestes.bench.harness.Goal;
import io.orestes.bench.harness.ServerGroup;
import io.orestes.support.mongo.Mongod;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * Transactions by any of three servers, with a cache in the client and without, and the same work
 * in MongoDB's own transactions, all on one machine.
 */
public final class ScotBenchmark implements Benchmark {

    private static final ClientLocation.Offer OFFER =
            new ClientLocation.Offer(10, 300, 10_000, Accounts.OBJECTS, Duration.ofMinutes(1));

    /**
     * Rounds of a minute each without and with a cache: until then the compilers of the servers'
     * JVMs use half of the processor time of these.
     */
    private static final int WARM_UP_ROUNDS = 3;

    /** Number of rounds, in which both alternate, each for a third of the offer. */
    private static final int ROUNDS = 3;

    /**
     * Time to live of copies. A written key stays in the filter for up to twice as long, as the
     * response cache serves copies until its own expires; and an object is written every 17 s.
     */
    private static final int LIFETIME_SECONDS = 5;

    @Override
    public String group() {
        return "servers";
    }

    @Override
    public List<String> ids() {
        return List.of("scot-commit-p50-ms", "scot-commit-p99-ms", "scot-aborts");
    }

    /** Starts three servers whose copies have a short life. */
    static ServerGroup servers(BenchmarkEnvironment lab, Mongod mongo) throws Exception {
        ServerGroup group = ServerGroup.start(
                lab,
                mongo,
                "copies",
                List.of(),
                ServerGroup.LONG_LEASE,
                "--caching.browser-max-ttl=" + LIFETIME_SECONDS + "s",
                "--caching.shared-max-ttl=" + LIFETIME_SECONDS + "s");
        Accounts.fill(group.first());
        return group;
    }

    @Override
    public void run(BenchmarkEnvironment lab, Consumer<Figure> report) throws Exception {
        BenchmarkEnvironment.say("scot-commit-p50-ms and those beside it");
        Vertx vertx = ClientLocation.newVertx();
        try (Mongod mongo = lab.mongod();
                ServerGroup group = servers(lab, mongo)) {
            report(new ClientLocation(vertx, group.ports(), mongo.port()), report);
        } finally {
            var ignored =
                    vertx.close().toCompletionStage().toCompletableFuture().join();
        }
    }

    private static void report(ClientLocation place, Consumer<Figure> report) throws Exception {
        place.fillMongo();
        for (int round = 0; round < WARM_UP_ROUNDS; round++) {
            Outcome unusedUncached = place.withoutCaches(OFFER);
            Outcome unusedCopies = place.withCopies(OFFER);
        }
        Outcome unusedDriver = place.inMongo(OFFER.shorter());
        Outcome copies = place.withCopies(OFFER.shorter());
        Outcome uncached = place.withoutCaches(OFFER.shorter());
        for (int round = 1; round < ROUNDS; round++) {
            copies = copies.and(place.withCopies(OFFER.shorter()));
            uncached = uncached.and(place.withoutCaches(OFFER.shorter()));
        }
        Outcome driver = place.inMongo(OFFER);
        String against = "with a cache " + copies + "; without " + uncached + "; MongoDB's driver " + driver;
        report.accept(new Figure("scot-commit-p50-ms", copies.commitP50(), "ms", Goal.NONE, against));
        report.accept(new Figure("scot-commit-p99-ms", copies.commitP99(), "ms", Goal.NONE, against));
        report.accept(new Figure("scot-aborts", 100 * copies.aborts(), "%", Goal.NONE, against));
    }
}
