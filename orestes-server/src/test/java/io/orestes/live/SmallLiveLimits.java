package io.orestes.live;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.invalidb.aggregation.AggregateLimits;
import io.orestes.live.request.LiveConfig;
import java.time.Duration;

/** Limits of live queries that a test reaches soon. */
public final class SmallLiveLimits {

    /** Number of events retained for each query. */
    static final int RETAINED_EVENTS = 64;

    private Duration resumeWindow = Duration.ofSeconds(30);
    private long heldBytes = 1 << 20;
    private int slack = 10;
    private Duration renewalInterval = Duration.ofSeconds(1);
    private AggregateLimits aggregates = new AggregateLimits(10, 5, 1 << 20);

    @CanIgnoreReturnValue
    SmallLiveLimits resumeWindow(Duration time) {
        resumeWindow = time;
        return this;
    }

    @CanIgnoreReturnValue
    SmallLiveLimits heldBytes(long bytes) {
        heldBytes = bytes;
        return this;
    }

    @CanIgnoreReturnValue
    SmallLiveLimits slack(int objects) {
        slack = objects;
        return this;
    }

    @CanIgnoreReturnValue
    SmallLiveLimits renewalInterval(Duration time) {
        renewalInterval = time;
        return this;
    }

    @CanIgnoreReturnValue
    SmallLiveLimits aggregates(AggregateLimits bounds) {
        aggregates = bounds;
        return this;
    }

    public LiveConfig config() {
        return new LiveConfig(
                resumeWindow,
                RETAINED_EVENTS,
                1 << 20,
                heldBytes,
                1_000,
                500,
                slack,
                renewalInterval,
                aggregates,
                1 << 20,
                100,
                Duration.ofSeconds(15),
                Duration.ofMillis(5));
    }
}
