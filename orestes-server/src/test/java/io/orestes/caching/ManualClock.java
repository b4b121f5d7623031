package io.orestes.caching;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A clock that stands still until it is moved. Thread-safe, but for {@link #onReading}, by which a
 * test that runs on one thread makes something happen in the middle of what it tests.
 */
public final class ManualClock implements InstantSource {

    private final AtomicLong millis = new AtomicLong(1_700_000_000_000L);
    private int readingsLeft;
    private Runnable interruption = () -> {};

    @Override
    public Instant instant() {
        return Instant.ofEpochMilli(millis());
    }

    @Override
    public long millis() {
        if (readingsLeft > 0 && --readingsLeft == 0) {
            interruption.run();
        }
        return millis.get();
    }

    public void advance(Duration step) {
        millis.addAndGet(step.toMillis());
    }

    /** Runs something once, at reading number {@code reading} from now. */
    public void onReading(int reading, Runnable something) {
        interruption = something;
        readingsLeft = reading;
    }
}
