package io.orestes.caching;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * A monotonic clock that starts with the system's time and ignores later changes of it. Lifetimes
 * of copies count from when other caches received them. By a clock that was put forward the server
 * would regard copies as expired and remove keys from the filter too early. Thread-safe.
 */
public final class SteadyClock implements InstantSource {

    /** Difference that ordinary adjustment of a system's clock may cause. */
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

    /**
     * Returns whether times of this clock are too early for readers that use the system's clock.
     */
    public boolean isBehind() {
        return wall.millis() - millis() > TOLERANCE.toMillis();
    }
}
