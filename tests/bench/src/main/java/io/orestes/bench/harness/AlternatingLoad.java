package io.orestes.bench.harness;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Several sides under equal load, in turn: a temporary disturbance of the machine affects all of
 * them.
 */
public final class AlternatingLoad {

    private final List<Side> sides = new ArrayList<>();

    /** Puts load on a side. */
    public interface Load {

        /** Returns the requests answered per second. */
        double rate(int seconds) throws IOException, InterruptedException;
    }

    private record Side(String name, Load load, List<Double> rates) {}

    @CanIgnoreReturnValue
    public AlternatingLoad with(String side, Load load) {
        sides.add(new Side(side, load, new ArrayList<>()));
        return this;
    }

    /** Warms all sides up, then alternates them. */
    public AlternatingLoad run(int warmUpSeconds, int rounds, int seconds) throws IOException, InterruptedException {
        for (Side side : sides) {
            var ignored = side.load.rate(warmUpSeconds);
        }
        for (int round = 0; round < rounds; round++) {
            for (Side side : sides) {
                side.rates.add(side.load.rate(seconds));
            }
        }
        return this;
    }

    public double median(String side) {
        Samples samples = new Samples();
        rates(side).forEach(samples::add);
        return samples.median();
    }

    /** Returns the median of the rounds' ratios. */
    public double ratio(String side, String other) {
        Samples ratios = new Samples();
        for (int round = 0; round < rates(side).size(); round++) {
            ratios.add(rates(side).get(round) / rates(other).get(round));
        }
        return ratios.median();
    }

    private List<Double> rates(String name) {
        return sides.stream().filter(side -> side.name.equals(name)).findFirst().orElseThrow().rates;
    }
}
