package io.invalidb.node;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The buckets on which a subscription is expected, because the stream position was requested
 * recently. Writes are worth retaining only for these buckets and for those with queries.
 * Thread-safe.
 */
final class ExpectedSubscriptions {

    private final long patienceMillis;
    private final InstantSource clock;
    private final Map<String, Long> expectedUntil = new ConcurrentHashMap<>();

    /** @param patience how long after asking a query may still be subscribed */
    ExpectedSubscriptions(Duration patience, InstantSource clock) {
        this.patienceMillis = patience.toMillis();
        this.clock = clock;
    }

    /** Whoever asks {@link #areExpected} after this has returned hears yes, for a while. */
    void announce(String bucket) {
        expectedUntil.put(bucket, clock.millis() + patienceMillis);
    }

    boolean areExpected(String bucket) {
        Long until = expectedUntil.get(bucket);
        return until != null && (clock.millis() <= until || isAnnouncedAnew(bucket, until));
    }

    /**
     * Forgets the bucket, so that the table holds no more names than are in use; false unless
     * announced anew meanwhile.
     */
    private boolean isAnnouncedAnew(String bucket, Long until) {
        return !expectedUntil.remove(bucket, until) && expectedUntil.containsKey(bucket);
    }
}
