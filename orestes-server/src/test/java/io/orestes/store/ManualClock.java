package io.orestes.store;

import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;

/** A clock whose time the test sets. */
public final class ManualClock implements InstantSource {

    private final AtomicLong millis = new AtomicLong(1_700_000_000_000L);

    /** Moves the clock forward or back. */
    public void advance(long byMillis) {
        millis.addAndGet(byMillis);
    }

    @Override
    public Instant instant() {
        return Instant.ofEpochMilli(millis.get());
    }
}
