package io.orestes.bench.product;

import io.orestes.bench.harness.Benchmark;
import io.orestes.bench.harness.BenchmarkEnvironment;
import io.orestes.bench.harness.Documents;
import io.orestes.bench.harness.Figure;
import io.orestes.bench.harness.Goal;
import io.orestes.bench.harness.Orestes;
import io.orestes.bench.harness.Samples;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.bson.BsonDocument;

/**
 * Time in Chromium until pages of the dashboard are usable, with 100,000 objects in a class and as
 * many users. {@code tests/browser/bench}, which drives the browser, defines it for each page.
 */
public final class DashboardBenchmark implements Benchmark {

    private static final int OBJECTS = 100_000;
    private static final int FEW = 100;
    private static final String OF_FEW = "Few";
    private static final int IN_ONE_IMPORT = 10_000;
    private static final int BYTES = 1024;
    private static final int SHELVES = 1_000;
    private static final int ROUNDS = 10;
    private static final Goal GOAL = Goal.atMost(200);

    private static final String LARGE = "data";
    private static final String SMALL = "few";
    private static final String SLOWEST = "page-slowest-ms";
    private static final String RATIO = "page-data-vs-few";

    /** Measurements of pages by their names in {@code tests/browser/bench/places.js}. */
    private static final List<Row> ROWS = rows(List.of(
            LARGE,
            SMALL,
            "filter",
            "order",
            "object",
            "schema",
            "class",
            "users",
            "explain",
            "live",
            "caching",
            "health",
            "logs",
            "api",
            "settings"));

    /**
     * One figure.
     *
     * @param way cold: with an empty HTTP cache; reload: with the cache of the first load; click:
     *     from another page
     */
    private record Row(String page, String way) {

        private String id() {
            return "page-" + page + "-" + way + "-ms";
        }
    }

    private static List<Row> rows(List<String> pages) {
        List<Row> rows = new ArrayList<>(List.of(new Row("log-in", "cold"), new Row("log-in", "reload")));
        pages.forEach(page -> List.of("cold", "reload", "click").forEach(way -> rows.add(new Row(page, way))));
        return List.copyOf(rows);
    }

    @Override
    public String group() {
        return "dashboard";
    }

    @Override
    public List<String> ids() {
        List<String> ids = new ArrayList<>(ROWS.stream().map(Row::id).toList());
        ids.addAll(List.of(RATIO, SLOWEST));
        return ids;
    }

    @Override
    public void run(BenchmarkEnvironment lab, Consumer<Figure> report) throws IOException, InterruptedException {
        BenchmarkEnvironment.say("dashboard: filling classes");
        try (Orestes orestes = Orestes.start(lab)) {
            fill(orestes);
            BenchmarkEnvironment.say("dashboard: " + ROUNDS + " rounds, and one before them");
            Map<Row, Samples> measured = measure(lab, orestes);
            ROWS.forEach(row -> report.accept(figure(row, of(measured, row))));
            report.accept(ratio(measured));
            report.accept(slowest(measured));
        }
    }

    private static void fill(Orestes orestes) throws IOException, InterruptedException {
        orestes.createClass(Documents.ITEM, Documents.itemFields());
        orestes.createClass(OF_FEW, Documents.itemFields());
        importAll(orestes, Documents.ITEM, OBJECTS, i -> Documents.item("e" + i, i % SHELVES, BYTES));
        importAll(orestes, OF_FEW, FEW, i -> Documents.item(OF_FEW, "e" + i, i % SHELVES, BYTES));
        importAll(orestes, "User", OBJECTS, i -> "{\"id\":\"/db/User/u" + i + "\",\"username\":\"user" + i + "\"}");
        if (orestes.count(Documents.ITEM) != OBJECTS) {
            throw new IOException("Not every object was imported");
        }
    }

    private static void importAll(Orestes orestes, String name, int count, IntFunction<String> object)
            throws IOException, InterruptedException {
        for (int first = 0; first < count; first += IN_ONE_IMPORT) {
            int end = Math.min(count, first + IN_ONE_IMPORT);
            orestes.importAll(name, IntStream.range(first, end).mapToObj(object).toList());
        }
    }

    private static Map<Row, Samples> measure(BenchmarkEnvironment lab, Orestes orestes)
            throws IOException, InterruptedException {
        Map<Row, Samples> measured = new LinkedHashMap<>();
        ROWS.forEach(row -> measured.put(row, new Samples()));
        Process browsing = browse(lab, orestes);
        try (BufferedReader lines = browsing.inputReader()) {
            lines.lines().map(BsonDocument::parse).forEach(line -> add(measured, line));
            if (browsing.waitFor() != 0) {
                throw new IOException("The browser's part failed");
            }
        } finally {
            browsing.destroy();
        }
        return measured;
    }

    private static Process browse(BenchmarkEnvironment lab, Orestes orestes) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(
                        lab.root().resolve("tests/browser/measure.sh").toString(),
                        orestes.url(""),
                        Integer.toString(ROUNDS))
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().put("ORESTES_TOKEN", orestes.token());
        Process browsing = builder.start();
        Runtime.getRuntime().addShutdownHook(new Thread(browsing::destroy));
        return browsing;
    }

    private static void add(Map<Row, Samples> measured, BsonDocument line) {
        Row row =
                new Row(line.getString("page").getValue(), line.getString("way").getValue());
        of(measured, row).add(line.getNumber("millis").doubleValue());
    }

    private static Samples of(Map<Row, Samples> measured, Row row) {
        return Optional.ofNullable(measured.get(row))
                .orElseThrow(() -> new IllegalStateException("The browser's part and this one differ: " + row));
    }

    private static Figure figure(Row row, Samples millis) {
        String against = String.format("p90 %.0f ms; %d times", millis.quantile(0.9), millis.count());
        return new Figure(row.id(), millis.median(), "ms", GOAL, against);
    }

    private static Figure ratio(Map<Row, Samples> measured) {
        double large = of(measured, new Row(LARGE, "click")).median();
        double small = of(measured, new Row(SMALL, "click")).median();
        String against = String.format("%,d objects (%.0f ms) ÷ %d (%.0f ms), click", OBJECTS, large, FEW, small);
        return new Figure(RATIO, large / small, "ratio", Goal.NONE, against);
    }

    private static Figure slowest(Map<Row, Samples> measured) {
        Map.Entry<Row, Samples> slowest = measured.entrySet().stream()
                .max(Comparator.comparingDouble(entry -> entry.getValue().median()))
                .orElseThrow();
        return new Figure(
                SLOWEST,
                slowest.getValue().median(),
                "ms",
                GOAL,
                "median of " + slowest.getKey().id());
    }
}
