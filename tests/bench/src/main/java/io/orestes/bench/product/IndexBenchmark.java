package io.orestes.bench.product;

import io.invalidb.query.filter.Filter;
import io.invalidb.query.sort.SortOrder;
import io.orestes.bench.harness.Benchmark;
import io.orestes.bench.harness.BenchmarkEnvironment;
import io.orestes.bench.harness.Figure;
import io.orestes.bench.harness.Goal;
import io.orestes.model.ObjectRef;
import io.orestes.store.IndexSpec;
import io.orestes.store.StoreQuery;
import io.orestes.store.embedded.EmbeddedObjectStore;
import io.orestes.store.embedded.database.EmbeddedStoreConfig;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bson.BsonDocument;

/**
 * Pages of ten of 100,000 objects of some 300 bytes, one query at a time, by an index and without
 * one: by equality, in an order, of the nearest places (against those within the same distance),
 * and by a word. The store alone, without HTTP.
 */
public final class IndexBenchmark implements Benchmark {

    private static final int OBJECTS = 100_000;
    private static final int PER_STEP = 5_000;
    private static final int SCANS = 5;
    private static final int LOOKUPS = 500;

    private static final List<Row> ROWS = List.of(
            new Row("query-index", IndexSpec.ascending("n"), "{n: 77777}", "{n: 77777}", "{}"),
            new Row("query-order", IndexSpec.ascending("rank"), "{}", "{}", "{rank: -1}"),
            new Row(
                    "query-geo",
                    IndexSpec.geo("place"),
                    "{place: {$nearSphere: {$geometry: {type: 'Point', coordinates: [10, 50]}}}}",
                    "{place: {$geoWithin: {$centerSphere: [[10, 50], 0.01]}}}",
                    "{}"),
            new Row("query-text", IndexSpec.TEXT, "{$text: {$search: 'w777'}}", "{$text: {$search: 'w777'}}", "{}"));

    /** One figure: the query with the index, and the one without. */
    private record Row(String id, IndexSpec index, String indexed, String scanned, String sort) {

        private StoreQuery query(String filter) {
            Filter parsed = Filter.parse(BsonDocument.parse(filter));
            SortOrder order = SortOrder.parse(BsonDocument.parse(sort));
            return new StoreQuery("Item", parsed, SortOrder.nearest(parsed).orElse(order), 0, 10);
        }
    }

    @Override
    public String group() {
        return "product";
    }

    @Override
    public List<String> ids() {
        return ROWS.stream().map(Row::id).toList();
    }

    @Override
    public void run(BenchmarkEnvironment lab, Consumer<Figure> report) throws Exception {
        Vertx vertx = Vertx.vertx();
        Path folder = Files.createTempDirectory("orestes-bench-");
        EmbeddedStoreConfig config =
                EmbeddedStoreConfig.at(folder.resolve("data")).withQueryBudget(Duration.ofMinutes(2));
        EmbeddedObjectStore store = EmbeddedObjectStore.open(vertx, config);
        try {
            fill(store);
            for (Row row : ROWS) {
                report.accept(measure(store, row));
            }
        } finally {
            wait(store.close());
            wait(vertx.close());
            delete(folder);
        }
    }

    private static Figure measure(EmbeddedObjectStore store, Row row) throws Exception {
        double scan = medianMicros(store, row.query(row.scanned()), SCANS);
        wait(store.createIndex("Item", row.index()));
        double indexed = medianMicros(store, row.query(row.indexed()), LOOKUPS);
        String against =
                String.format(Locale.ROOT, "scan (%,.0f µs) ÷ index (%,.0f µs), 100,000 objects", scan, indexed);
        return new Figure(row.id(), scan / indexed, "ratio", Goal.NONE, against);
    }

    private static double medianMicros(EmbeddedObjectStore store, StoreQuery query, int times) throws Exception {
        double[] micros = new double[times];
        for (int i = 0; i < times; i++) {
            long start = System.nanoTime();
            wait(store.query(query));
            micros[i] = (System.nanoTime() - start) / 1e3;
        }
        Arrays.sort(micros);
        return micros[times / 2];
    }

    private static void fill(EmbeddedObjectStore store) throws Exception {
        Random random = new Random(1);
        for (int from = 0; from < OBJECTS; from += PER_STEP) {
            wait(Future.join(IntStream.range(from, from + PER_STEP)
                    .mapToObj(i -> store.insert(new ObjectRef("Item", "k" + i), item(i, random)))
                    .toList()));
        }
    }

    private static BsonDocument item(int number, Random random) {
        return BsonDocument.parse(String.format(
                Locale.ROOT,
                "{n: %d, rank: %d, place: {longitude: %f, latitude: %f}, text: 'w%d %s'}",
                number,
                random.nextInt(OBJECTS),
                random.nextDouble() * 360 - 180,
                random.nextDouble() * 170 - 85,
                number % 1_000,
                "some words about nothing ".repeat(6)));
    }

    private static void wait(Future<?> future) throws Exception {
        var unused = future.toCompletionStage().toCompletableFuture().get(2, TimeUnit.MINUTES);
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
