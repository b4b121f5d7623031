package io.orestes.store.mongo;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * An estimator of how many documents of a class fit into one batch of a few megabytes. It estimates
 * by the mean size of the last documents. The limit is needed because the driver decodes a whole
 * batch before anybody can count its bytes. Thread-safe.
 */
final class BatchSizeEstimator {

    private static final long BYTES = 2 << 20;

    /**
     * Fewer would make a scan of many small objects, among which large ones were met, many round
     * trips.
     */
    private static final int LEAST = 8;

    /**
     * How many objects count as much as all that came before: one large object makes no class of
     * large ones.
     */
    private static final int WEIGHT = 64;

    private final int most;
    /** Mean bytes of one, of classes of large objects. */
    private final Map<String, Long> means = new ConcurrentHashMap<>();

    BatchSizeEstimator(int most) {
        this.most = most;
    }

    /** For a class that nobody has read yet the most there is. */
    int of(String bucket) {
        return (int) Math.max(LEAST, Math.min(most, fitting(means.getOrDefault(bucket, 0L))));
    }

    /** Some objects came, at least one, and took so many bytes of the heap. */
    void came(String bucket, int objects, long bytes) {
        Long unused = means.compute(bucket, (same, before) -> {
            long mean = ((before == null ? 0 : before * WEIGHT) + bytes) / (WEIGHT + objects);
            return fitting(mean) >= most ? null : mean;
        });
    }

    private static long fitting(long mean) {
        return BYTES / Math.max(1, mean);
    }
}
