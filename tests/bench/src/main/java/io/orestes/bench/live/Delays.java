package io.orestes.bench.live;

import io.orestes.bench.harness.Samples;
import java.io.IOException;

/**
 * Delays from a write to its event in milliseconds: medians of some rounds.
 *
 * @param p50 median of a round
 * @param p99 99th percentile of a round
 */
record Delays(double p50, double p99) {

    private static final int WRITES_PER_SECOND = 1000;
    private static final int WARM_UP_SECONDS = 10;
    private static final int ROUNDS = 3;
    private static final int SECONDS = 5;

    /** Measures 1,000 writes/s, each of which has to cause one event. */
    static Delays measure(LiveLoad load) throws IOException {
        Samples p50 = new Samples();
        Samples p99 = new Samples();
        var ignored = load.run(WRITES_PER_SECOND, WARM_UP_SECONDS);
        for (int round = 0; round < ROUNDS; round++) {
            LiveLoad.Outcome outcome = load.run(WRITES_PER_SECOND, SECONDS);
            if (outcome.events() != outcome.writes()) {
                throw new IOException(outcome.writes() + " writes caused " + outcome.events() + " events");
            }
            p50.add(outcome.p50Millis());
            p99.add(outcome.p99Millis());
        }
        return new Delays(p50.median(), p99.median());
    }
}
