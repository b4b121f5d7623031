package io.orestes.bench.live;

import java.io.IOException;

/**
 * One side that climbs a ladder of write rates: it may fail once on each rung, because the machine
 * has other users, and ends where it fails twice.
 */
final class RateLadder {

    private static final double MAX_P99_MILLIS = 100;
    private static final double SHARE = 0.97;
    private static final int ATTEMPTS = 2;

    private final LiveLoad load;
    private final int eventsPerWrite;
    private final int seconds;
    private double eventsPerSecond;
    private double p99Millis;
    private boolean fell;

    /**
     * @param eventsPerWrite number of subscribers that receive each write
     * @param seconds time on a rung
     */
    RateLadder(LiveLoad load, int eventsPerWrite, int seconds) {
        this.load = load;
        this.eventsPerWrite = eventsPerWrite;
        this.seconds = seconds;
    }

    void step(double writesPerSecond) throws IOException {
        fell = fell || !reaches(writesPerSecond);
    }

    /**
     * Returns the rate of the highest rung on which everything arrived in time, the 99th percentile
     * below 100 ms.
     */
    double eventsPerSecond() {
        return eventsPerSecond;
    }

    /** Returns the 99th percentile on that rung. */
    double p99Millis() {
        return p99Millis;
    }

    private boolean reaches(double writesPerSecond) throws IOException {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            if (holds(writesPerSecond)) {
                return true;
            }
        }
        return false;
    }

    private boolean holds(double writesPerSecond) throws IOException {
        LiveLoad.Outcome outcome = load.run(writesPerSecond, seconds);
        boolean held = outcome.p99Millis() < MAX_P99_MILLIS
                && outcome.perSecond() >= SHARE * writesPerSecond * eventsPerWrite
                && outcome.events() == outcome.writes() * eventsPerWrite;
        if (held && outcome.perSecond() > eventsPerSecond) {
            eventsPerSecond = outcome.perSecond();
            p99Millis = outcome.p99Millis();
        }
        return held;
    }
}
