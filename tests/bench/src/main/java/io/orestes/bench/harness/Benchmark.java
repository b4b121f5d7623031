package io.orestes.bench.harness;

import java.util.List;
import java.util.function.Consumer;

/** Measures a group of related figures. */
public interface Benchmark {

    /** Returns the name by which benchmarks are run together. */
    String group();

    /** Returns the ids of the figures it reports, in that order. */
    List<String> ids();

    /** Measures and reports; it stops all it started before it returns. */
    void run(BenchmarkEnvironment lab, Consumer<Figure> report) throws Exception;

    /** Returns whether {@code name} means this benchmark: its group or one of its figures. */
    default boolean isCalled(String name) {
        return group().equals(name) || ids().contains(name);
    }
}
