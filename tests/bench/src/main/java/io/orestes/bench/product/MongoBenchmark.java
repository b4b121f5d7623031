package io.orestes.bench.product;

import io.orestes.bench.client.Wrk;
import io.orestes.bench.harness.AlternatingLoad;
import io.orestes.bench.harness.Benchmark;
import io.orestes.bench.harness.BenchmarkEnvironment;
import io.orestes.bench.harness.Documents;
import io.orestes.bench.harness.Figure;
import io.orestes.bench.harness.Goal;
import io.orestes.bench.harness.Orestes;
import io.orestes.bench.harness.Peer;
import io.orestes.support.mongo.Mongod;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Orestes over MongoDB against MongoDB's driver alone, 64 commands under way at a time: replaces of
 * 1 KB objects by id, insertions of such, and queries for 10 of 10,000 by an index, by a user whose
 * results no cache stores. A majority of a replica set of one has synced each write to disk.
 */
public final class MongoBenchmark implements Benchmark {

    /** Objects that are queried, ten with each number. */
    static final int SHELVED = 10_000;

    private static final int ROUNDS = 5;
    private static final int WARM_UP_SECONDS = 75;
    private static final int SECONDS = 4;
    private static final Goal GOAL = Goal.atLeast(0.70);

    private static final String INSERT =
            """
            wrk.method = "POST"
            wrk.path = "/v1/db/%1$s"
            wrk.headers["Content-Type"] = "application/json"
            wrk.body = '%2$s'
            """;
    private static final String QUERY =
            """
            local at = 0
            function request()
              at = (at + 1) %% %2$d
              return wrk.format("GET", "/v1/db/%1$s/query?q=%%7B%%22shelf%%22%%3A" .. (at + 1) .. "%%7D",
                  { ["Authorization"] = "%3$s" })
            end
            """;

    @Override
    public String group() {
        return "mongo";
    }

    @Override
    public List<String> ids() {
        return List.of("mongo-replace", "mongo-insert", "mongo-query");
    }

    @Override
    public void run(BenchmarkEnvironment lab, Consumer<Figure> report) throws Exception {
        BenchmarkEnvironment.say("mongo-replace, mongo-insert, mongo-query");
        try (Mongod mongo = lab.mongod();
                Orestes orestes = Orestes.start(lab, List.of(), "--mongo", mongo.connectionString("orestes"));
                Peer driver = Peer.start(orestes, MongoPeer.class, mongo.connectionString("driver"))) {
            fill(orestes);
            String insert = INSERT.formatted(
                    Documents.ITEM,
                    Documents.item("@", 0, 1024).replace("\"id\":\"/db/" + Documents.ITEM + "/@\",", ""));
            report.accept(figure(lab, orestes, driver, "replace", Wrk.writeReplaceScript(lab)));
            report.accept(figure(lab, orestes, driver, "insert", script(lab, "insert", insert)));
            report.accept(figure(
                    lab,
                    orestes,
                    driver,
                    "query",
                    script(
                            lab,
                            "query",
                            QUERY.formatted(
                                    Documents.ITEM,
                                    SHELVED / 10,
                                    orestes.register("reader").header()))));
        }
    }

    private static void fill(Orestes orestes) throws IOException, InterruptedException {
        orestes.createClass(Documents.ITEM, Documents.itemFields());
        orestes.createIndex(Documents.ITEM, "shelf");
        orestes.importAll(
                Documents.ITEM,
                IntStream.range(0, SHELVED)
                        .mapToObj(i -> Documents.item("s" + i, i / 10 + 1, 1024))
                        .toList());
    }

    private static Figure figure(BenchmarkEnvironment lab, Orestes orestes, Peer driver, String kind, Path script)
            throws IOException, InterruptedException {
        Wrk wrk = Wrk.find(lab);
        AlternatingLoad turns = new AlternatingLoad()
                .with("orestes", seconds -> wrk.rate(seconds, orestes.url("/"), "-s", script.toString()))
                .with("driver", seconds -> Double.parseDouble(driver.ask(kind + " " + seconds)))
                .run(WARM_UP_SECONDS, ROUNDS, SECONDS);
        String against = String.format(
                "orestes %,.0f/s, MongoDB's driver alone %,.0f/s", turns.median("orestes"), turns.median("driver"));
        return new Figure("mongo-" + kind, turns.ratio("orestes", "driver"), "ratio", GOAL, against);
    }

    private static Path script(BenchmarkEnvironment lab, String name, String text) throws IOException {
        return Files.writeString(lab.scratch().resolve(name + ".lua"), text);
    }
}
