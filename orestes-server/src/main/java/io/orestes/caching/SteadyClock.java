package io.orestes.caching;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * A clock that begins with the right time and then goes on evenly, whatever the system's clock is
 * set to. How long copies live in other caches is counted from when they got them; by a clock that
 * was put forward the server would think them expired and take keys from the filter too early.
 * Thread-safe.
 */
public final class SteadyClock implements InstantSource {

    /** What a system's clock may lead or lag by when it is only being adjusted. */
    private static final Duration TOLERANCE = Duration.ofMillis(500);

    private final InstantSource wall;
    private final LongSupplier nanos;
    private final long beganMillis;
    private final long beganNanos;

    public SteadyClock() {
        this(InstantSource.system(), System::nanoTime);
    }

    /** @param nanos nanoseconds since any fixed time */
    SteadyClock(InstantSource wall, LongSupplier nanos) {
        this.wall = wall;
        this.nanos = nanos;
        this.beganMillis = wall.millis();
        this.beganNanos = nanos.getAsLong();
    }

    @Override
    public long millis() {
        return beganMillis + TimeUnit.NANOSECONDS.toMillis(nanos.getAsLong() - beganNanos);
    }

    @Override
    public Instant instant() {
        return Instant.ofEpochMilli(millis());
    }

    /** Whether times of this clock are too early for whoever goes by the system's. */
    public boolean isBehind() {
        return wall.millis() - millis() > TOLERANCE.toMillis();
    }
}
