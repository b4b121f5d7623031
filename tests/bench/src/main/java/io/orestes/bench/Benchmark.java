package io.orestes.bench;

import java.util.List;
import java.util.function.Consumer;

/** Measures some figures that belong together. */
interface Benchmark {

    /** Benchmarks that are run by one name. */
    String group();

    /** Ids of the figures it reports, in that order. */
    List<String> ids();

    /** Measures and reports; whatever it started is stopped when it returns. */
    void run(Lab lab, Consumer<Figure> report) throws Exception;

    /** Whether {@code name} means this benchmark: its group or one of its figures. */
    default boolean isCalled(String name) {
        return group().equals(name) || ids().contains(name);
    }
}
