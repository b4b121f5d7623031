package io.orestes.store.mongo.read;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * An estimator of how many documents of a class fit into one batch of a few megabytes. It estimates
 * by the mean size of the last documents. The limit is needed because the driver decodes a whole
 * batch before its bytes can be counted. Thread-safe.
 */
final class BatchSizeEstimator {

    private static final long BYTES = 2 << 20;

    /**
     * Minimum number of objects. Fewer would cost many round trips in a scan of small objects with
     * some large ones among them.
     */
    private static final int MIN_OBJECTS = 8;

    /**
     * Number of objects that weigh as much as all earlier ones, so that one large object does not
     * dominate the mean.
     */
    private static final int WEIGHT = 64;

    private final int most;
    /** Mean bytes of an object, for classes of large objects. */
    private final Map<String, Long> means = new ConcurrentHashMap<>();

    BatchSizeEstimator(int most) {
        this.most = most;
    }

    /** Returns the number of objects for a batch; the maximum for a class that was not read yet. */
    int of(String bucket) {
        return (int) Math.max(MIN_OBJECTS, Math.min(most, fitting(means.getOrDefault(bucket, 0L))));
    }

    /** Records a batch of at least one object by its bytes on the heap. */
    void observe(String bucket, int objects, long bytes) {
        Long unused = means.compute(bucket, (same, before) -> {
            long mean = ((before == null ? 0 : before * WEIGHT) + bytes) / (WEIGHT + objects);
            return fitting(mean) >= most ? null : mean;
        });
    }

    private static long fitting(long mean) {
        return BYTES / Math.max(1, mean);
    }
}
