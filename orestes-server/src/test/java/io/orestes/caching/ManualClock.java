package io.orestes.caching;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A clock that stands still until it is moved. Thread-safe except for {@link #onReading}, by which
 * a single-threaded test runs an action in the middle of the tested operation.
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

    /** Runs an action once, at reading number {@code reading} from now. */
    public void onReading(int reading, Runnable something) {
        interruption = something;
        readingsLeft = reading;
    }
}
