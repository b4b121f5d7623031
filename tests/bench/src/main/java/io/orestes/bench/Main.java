package io.orestes.bench;

import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.util.List;

/**
 * {@code ./orestes bench [name] [--json]}: runs the benchmarks of a group, or those that report one figure. {@code ttl} is a
 * simulation with a table of its own.
 */
public final class Main {

    private static final List<Benchmark> ALL = List.of(
            new StartBenchmark(),
            new TokenBenchmark(),
            new LoginBenchmark(),
            new ReadBenchmark(),
            new WriteBenchmark(),
            new PartialUpdateBenchmark(),
            new ExportBenchmark(),
            new LatencyBenchmark(),
            new ManyQueriesBenchmark(),
            new FanoutBenchmark(),
            new CellBenchmark(),
            new MixedBenchmark(),
            new SubscribeBenchmark(),
            new MatchingProcess(new GridBenchmark()),
            new MatchingProcess(new SortedBenchmark()),
            new EndToEndBenchmark(),
            new CachingBenchmark(),
            new ResultFormBenchmark(),
            new SketchBytesBenchmark(),
            new PurgeBenchmark(),
            new SharedHitBenchmark(),
            new PurgedWriteBenchmark(),
            new QueryInvalidationBenchmark(),
            new IndexBenchmark(),
            new SessionsBenchmark(),
            new QuaestorBenchmark());

    private Main() {}

    public static void main(String[] arguments) throws Exception {
        List<String> names = List.of(arguments).stream()
                .filter(argument -> !argument.startsWith("--"))
                .toList();
        boolean json = List.of(arguments).contains("--json");
        if (names.equals(List.of("ttl"))) {
            new TtlReport(System.out, json).print();
            System.exit(0);
        }
        List<Benchmark> chosen = choose(names.isEmpty() ? "product" : names.get(0));
        if (chosen.isEmpty() || names.size() > 1) {
            System.err.println(
                    "orestes: benchmarks are product, export, invalidb, caching, ttl, or the id of one figure");
            System.exit(2);
        }
        run(chosen, json ? new Output.JsonLines(System.out) : new Output.Table(System.out));
        System.exit(0);
    }

    private static List<Benchmark> choose(String name) {
        return ALL.stream().filter(benchmark -> benchmark.isCalled(name)).toList();
    }

    private static void warnIfBusy() {
        OperatingSystemMXBean system = ManagementFactory.getOperatingSystemMXBean();
        double load = system.getSystemLoadAverage();
        if (load > system.getAvailableProcessors() / 2.0) {
            Lab.say(String.format("other programs keep this machine busy (load %.1f): expect noise", load));
        }
    }

    private static void run(List<Benchmark> chosen, Output output) throws Exception {
        warnIfBusy();
        output.begin();
        try (Lab lab = Lab.open()) {
            for (Benchmark benchmark : chosen) {
                benchmark.run(lab, output::print);
            }
        }
    }
}
