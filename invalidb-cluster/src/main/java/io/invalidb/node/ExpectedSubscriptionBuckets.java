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
final class ExpectedSubscriptionBuckets {

    private final long expectationMillis;
    private final InstantSource clock;
    private final Map<String, Long> expectedUntil = new ConcurrentHashMap<>();

    /** @param patience time after a request of the position in which a query may be subscribed */
    ExpectedSubscriptionBuckets(Duration patience, InstantSource clock) {
        this.expectationMillis = patience.toMillis();
        this.clock = clock;
    }

    /** Marks the bucket: calls of {@link #isExpected} after this return true, for a while. */
    void expect(String bucket) {
        expectedUntil.put(bucket, clock.millis() + expectationMillis);
    }

    boolean isExpected(String bucket) {
        Long until = expectedUntil.get(bucket);
        return until != null && (clock.millis() <= until || isAnnouncedAnew(bucket, until));
    }

    /**
     * Removes the bucket, so that the table has only names in use; returns true if it was marked
     * again meanwhile.
     */
    private boolean isAnnouncedAnew(String bucket, Long until) {
        return !expectedUntil.remove(bucket, until) && expectedUntil.containsKey(bucket);
    }
}
