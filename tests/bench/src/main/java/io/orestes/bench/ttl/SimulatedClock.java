package io.orestes.bench.ttl;

import java.time.Instant;
import java.time.InstantSource;

/** A clock with a settable time. Not thread-safe. */
final class SimulatedClock implements InstantSource {

    private long millis;

    void set(long millisSince1970) {
        millis = millisSince1970;
    }

    @Override
    public long millis() {
        return millis;
    }

    @Override
    public Instant instant() {
        return Instant.ofEpochMilli(millis);
    }
}
