package io.orestes.bench.harness;

import java.util.ArrayList;
import java.util.List;

/** Figures of one measurement from several rounds. */
public final class Samples {

    private final List<Double> values = new ArrayList<>();

    public void add(double value) {
        values.add(value);
    }

    public int count() {
        return values.size();
    }

    public double median() {
        List<Double> sorted = values.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }

    /** Returns the quantile for this share of all. */
    public double quantile(double share) {
        List<Double> sorted = values.stream().sorted().toList();
        return sorted.get((int) Math.ceil(share * sorted.size()) - 1);
    }
}
