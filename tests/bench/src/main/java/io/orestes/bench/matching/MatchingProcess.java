package io.orestes.bench.matching;

import io.orestes.bench.harness.Benchmark;
import io.orestes.bench.harness.BenchmarkEnvironment;
import io.orestes.bench.harness.Figure;
import io.orestes.bench.harness.Goal;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonString;

/**
 * A benchmark of delays in a process of its own, with the collector for a process that only
 * matches: ZGC. G1 pauses such a process for the time to copy the writes of the last seconds, which
 * are all retained (docs/benchmarks.md).
 */
public record MatchingProcess(Benchmark measured) implements Benchmark {

    private static final List<String> FLAGS = List.of("-XX:+UseZGC", "-Xmx4g");
    private static final List<Benchmark> KNOWN = List.of(new GridBenchmark(), new SortedBenchmark());

    @Override
    public String group() {
        return measured.group();
    }

    @Override
    public List<String> ids() {
        return measured.ids();
    }

    @Override
    public void run(BenchmarkEnvironment lab, Consumer<Figure> report) throws IOException, InterruptedException {
        Process process = start(ids().get(0));
        try (BufferedReader figures = process.inputReader()) {
            figures.lines().map(MatchingProcess::parse).forEach(report);
            if (process.waitFor() != 0) {
                throw new IOException("The process of " + ids() + " failed");
            }
        } finally {
            process.destroy();
        }
    }

    /** Reads one id and prints figures, a line each. */
    public static void main(String[] arguments) throws Exception {
        try (BenchmarkEnvironment lab = BenchmarkEnvironment.open()) {
            for (Benchmark benchmark : KNOWN) {
                if (benchmark.isCalled(arguments[0])) {
                    benchmark.run(lab, figure -> System.out.println(line(figure)));
                }
            }
        }
        System.exit(0);
    }

    private static Process start(String id) throws IOException {
        List<String> command = new ArrayList<>(FLAGS);
        command.add(0, ProcessHandle.current().info().command().orElse("java"));
        command.add("-Dorestes.root=" + System.getProperty("orestes.root"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), MatchingProcess.class.getName(), id));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static String line(Figure figure) {
        return new BsonDocument("id", new BsonString(figure.id()))
                .append("value", new BsonDouble(figure.value()))
                .append("unit", new BsonString(figure.unit()))
                .append("goal", new BsonString(figure.goal().direction().name()))
                .append("bound", new BsonDouble(figure.goal().bound()))
                .append("against", new BsonString(figure.against()))
                .toJson();
    }

    private static Figure parse(String line) {
        BsonDocument figure = BsonDocument.parse(line);
        Goal.Direction direction =
                Goal.Direction.valueOf(figure.getString("goal").getValue());
        return new Figure(
                figure.getString("id").getValue(),
                figure.getDouble("value").getValue(),
                figure.getString("unit").getValue(),
                new Goal(direction, figure.getDouble("bound").getValue()),
                figure.getString("against").getValue());
    }
}
