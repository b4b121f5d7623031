package io.orestes.bench;

import io.orestes.bench.caching.CachingBenchmark;
import io.orestes.bench.caching.PurgeBenchmark;
import io.orestes.bench.caching.PurgedWriteBenchmark;
import io.orestes.bench.caching.QuaestorBenchmark;
import io.orestes.bench.caching.QueryInvalidationBenchmark;
import io.orestes.bench.caching.ResultFormBenchmark;
import io.orestes.bench.caching.SessionsBenchmark;
import io.orestes.bench.caching.SharedHitBenchmark;
import io.orestes.bench.caching.SketchBytesBenchmark;
import io.orestes.bench.cluster.DistantScotBenchmark;
import io.orestes.bench.cluster.GroupBenchmark;
import io.orestes.bench.cluster.ScotBenchmark;
import io.orestes.bench.harness.Benchmark;
import io.orestes.bench.harness.BenchmarkEnvironment;
import io.orestes.bench.harness.Output;
import io.orestes.bench.live.EndToEndBenchmark;
import io.orestes.bench.live.FanoutBenchmark;
import io.orestes.bench.live.LatencyBenchmark;
import io.orestes.bench.live.ManyQueriesBenchmark;
import io.orestes.bench.matching.CellBenchmark;
import io.orestes.bench.matching.GridBenchmark;
import io.orestes.bench.matching.MatchingProcess;
import io.orestes.bench.matching.MixedBenchmark;
import io.orestes.bench.matching.SortedBenchmark;
import io.orestes.bench.matching.SubscribeBenchmark;
import io.orestes.bench.product.CommitBenchmark;
import io.orestes.bench.product.DashboardBenchmark;
import io.orestes.bench.product.ExportBenchmark;
import io.orestes.bench.product.IndexBenchmark;
import io.orestes.bench.product.LoginBenchmark;
import io.orestes.bench.product.MongoBenchmark;
import io.orestes.bench.product.PartialUpdateBenchmark;
import io.orestes.bench.product.PermissionBenchmark;
import io.orestes.bench.product.ReadBenchmark;
import io.orestes.bench.product.StartBenchmark;
import io.orestes.bench.product.TokenBenchmark;
import io.orestes.bench.product.WriteBenchmark;
import io.orestes.bench.ttl.TtlReport;
import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.util.List;
import java.util.stream.Collectors;

/**
 * {@code ./orestes bench [name] [--json]}: runs the benchmarks of a group, or those that report one
 * figure. {@code ttl} is a simulation with a table of its own, and {@code --help} lists all names.
 */
public final class Main {

    private static final List<Benchmark> ALL = List.of(
            new StartBenchmark(),
            new TokenBenchmark(),
            new LoginBenchmark(),
            new ReadBenchmark(),
            new WriteBenchmark(),
            new CommitBenchmark(),
            new PartialUpdateBenchmark(),
            new PermissionBenchmark(),
            new ExportBenchmark(),
            new DashboardBenchmark(),
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
            new QuaestorBenchmark(),
            new MongoBenchmark(),
            new GroupBenchmark(),
            new ScotBenchmark(),
            new DistantScotBenchmark());

    private static final String SIMULATION = "ttl";

    private Main() {}

    public static void main(String[] arguments) throws Exception {
        List<String> given = List.of(arguments);
        if (given.contains("--help") || given.contains("-h")) {
            System.out.print(usage());
            System.exit(0);
        }
        List<String> names =
                given.stream().filter(argument -> !argument.equals("--json")).toList();
        String name = names.isEmpty() ? "product" : names.get(0);
        boolean json = given.contains("--json");
        if (names.size() > 1 || !isKnown(name)) {
            System.err.print("orestes: there is no benchmark " + String.join(" ", names) + "\n" + usage());
            System.exit(2);
        } else if (name.equals(SIMULATION)) {
            new TtlReport(System.out, json).print();
        } else {
            run(choose(name), json ? new Output.JsonLines(System.out) : new Output.Table(System.out));
        }
        System.exit(0);
    }

    private static boolean isKnown(String name) {
        return name.equals(SIMULATION) || !choose(name).isEmpty();
    }

    /** Returns all names, the figures behind their group. */
    private static String usage() {
        StringBuilder usage = new StringBuilder(
                """
                usage: ./orestes bench [name] [--json]

                Without a name the group product is run; with one a group, or what one figure is measured with:
                """);
        ALL.stream().map(Benchmark::group).distinct().forEach(group -> usage.append("\n  ")
                .append(group)
                .append("\n      ")
                .append(figures(group))
                .append('\n'));
        return usage.append("\n  " + SIMULATION + "\n      a simulation of times to live, with a table of its own\n")
                .toString();
    }

    private static String figures(String group) {
        return ALL.stream()
                .filter(benchmark -> benchmark.group().equals(group))
                .flatMap(benchmark -> benchmark.ids().stream())
                .collect(Collectors.joining("\n      "));
    }

    private static List<Benchmark> choose(String name) {
        return ALL.stream().filter(benchmark -> benchmark.isCalled(name)).toList();
    }

    private static void warnIfBusy() {
        OperatingSystemMXBean system = ManagementFactory.getOperatingSystemMXBean();
        double load = system.getSystemLoadAverage();
        if (load > system.getAvailableProcessors() / 2.0) {
            BenchmarkEnvironment.say(
                    String.format("other programs keep this machine busy (load %.1f): expect noise", load));
        }
    }

    private static void run(List<Benchmark> chosen, Output output) throws Exception {
        warnIfBusy();
        output.begin();
        try (BenchmarkEnvironment lab = BenchmarkEnvironment.open()) {
            for (Benchmark benchmark : chosen) {
                benchmark.run(lab, output::print);
            }
        }
    }
}
