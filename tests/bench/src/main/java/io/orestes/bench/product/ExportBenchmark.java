package io.orestes.bench.product;

import io.orestes.bench.harness.Benchmark;
import io.orestes.bench.harness.BenchmarkEnvironment;
import io.orestes.bench.harness.Documents;
import io.orestes.bench.harness.Figure;
import io.orestes.bench.harness.Goal;
import io.orestes.bench.harness.Orestes;
import io.orestes.bench.harness.Samples;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Export of a million objects of 1 KB and import of what was exported, each in one request, by a
 * server whose heap is limited to 200 MB. A server that needs more memory ends.
 */
public final class ExportBenchmark implements Benchmark {

    private static final int OBJECTS = 1_000_000;
    private static final int IN_ONE_IMPORT = 10_000;
    private static final int HEAP_MEGABYTES = 200;
    private static final int ROUNDS = 3;

    @Override
    public String group() {
        return "export";
    }

    @Override
    public List<String> ids() {
        return List.of("export-objects-per-s", "import-objects-per-s");
    }

    @Override
    public void run(BenchmarkEnvironment lab, Consumer<Figure> report) throws IOException, InterruptedException {
        BenchmarkEnvironment.say("export-objects-per-s, import-objects-per-s");
        try (Orestes orestes = Orestes.startWithHeap(lab, HEAP_MEGABYTES)) {
            orestes.createClass(Documents.ITEM, Documents.itemFields());
            requireHeap(orestes);
            fill(orestes);
            if (orestes.count(Documents.ITEM) != OBJECTS) {
                throw new IOException("Not every object was imported");
            }
            Path file = lab.folder("export").resolveSibling("objects.json");
            Samples exported = new Samples();
            for (int round = 0; round < ROUNDS; round++) {
                exported.add(OBJECTS / exportSeconds(orestes, file));
            }
            double imported = OBJECTS / importSeconds(orestes, file);
            String against = String.format(
                    "a million objects of 1 KB, heap limited to %d MB; %.0f MB resident",
                    HEAP_MEGABYTES, orestes.residentMegabytes());
            report.accept(
                    new Figure("export-objects-per-s", exported.median(), "objects/s", Goal.atLeast(30_000), against));
            report.accept(new Figure("import-objects-per-s", imported, "objects/s", Goal.NONE, against));
        }
    }

    /** The last of several limits is effective. */
    private static void requireHeap(Orestes orestes) throws IOException {
        String limit = orestes.javaAndFlags().stream()
                .filter(flag -> flag.startsWith("-Xmx"))
                .reduce("", (earlier, later) -> later);
        if (!limit.equals("-Xmx" + HEAP_MEGABYTES + "m")) {
            throw new IOException("The heap is not limited as it should be: " + limit);
        }
    }

    private static void fill(Orestes orestes) throws IOException, InterruptedException {
        for (int first = 0; first < OBJECTS; first += IN_ONE_IMPORT) {
            orestes.importAll(
                    Documents.ITEM,
                    IntStream.range(first, first + IN_ONE_IMPORT)
                            .mapToObj(i -> Documents.item("e" + i, i % 1_000, 1024))
                            .toList());
        }
    }

    private static double importSeconds(Orestes orestes, Path file) throws IOException, InterruptedException {
        long begin = System.nanoTime();
        orestes.importAll(Documents.ITEM, file);
        return (System.nanoTime() - begin) / 1e9;
    }

    private static double exportSeconds(Orestes orestes, Path file) throws IOException, InterruptedException {
        long begin = System.nanoTime();
        long bytes = orestes.export(Documents.ITEM, file);
        if (bytes < OBJECTS * 1_000L) {
            throw new IOException("The export has only " + bytes + " bytes");
        }
        return (System.nanoTime() - begin) / 1e9;
    }
}
