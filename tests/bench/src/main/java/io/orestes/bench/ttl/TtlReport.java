package io.orestes.bench.ttl;

import io.orestes.bench.harness.Output;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/**
 * {@code ./orestes bench ttl}: the value of times to live, by simulation. Takes some seconds and no
 * server.
 */
public final class TtlReport {

    private static final long SEED = 4;
    private static final int OBJECTS = 10_000;
    private static final double PER_SECOND = 500;
    private static final int SECONDS = 3_600;
    private static final long WARM_UP_MILLIS = 600_000;
    private static final double WRITES_A = 0.5;
    private static final double WRITES_B = 0.05;

    private static final List<Function<SimulatedClock, TtlPolicy>> POLICIES = List.of(
            clock -> new TtlPolicy.Static(Duration.ofSeconds(1)),
            clock -> new TtlPolicy.Static(Duration.ofSeconds(10)),
            clock -> new TtlPolicy.Static(Duration.ofMinutes(1)),
            clock -> new TtlPolicy.Static(Duration.ofMinutes(10)),
            TtlPolicy.Estimated::on,
            clock -> new TtlPolicy.Oracle());

    private final PrintStream out;
    private final boolean isJson;

    public TtlReport(PrintStream out, boolean isJson) {
        this.out = out;
        this.isJson = isJson;
    }

    public void print() {
        if (!isJson) {
            out.println(TtlRow.HEAD);
        }
        print("ycsb-a", WRITES_A);
        print("ycsb-b", WRITES_B);
        if (!isJson) {
            out.println("* without the filter");
        }
    }

    private void print(String name, double writeShare) {
        Trace trace = Trace.of(SEED, OBJECTS, (int) (PER_SECOND * SECONDS), PER_SECOND, writeShare);
        for (Function<SimulatedClock, TtlPolicy> policy : POLICIES) {
            TtlRow row = new TtlSimulation(trace, OBJECTS, WARM_UP_MILLIS, policy).run(name);
            out.println(isJson ? Output.json(row.json()) : row.line());
        }
    }
}
