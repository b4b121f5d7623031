package io.invalidb.matching.cell;

import io.invalidb.model.StreamPosition;
import io.invalidb.model.VersionStamp;
import io.invalidb.model.WriteEvent;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The recent part of the write stream in one cell: the latest write of each object, without late
 * and duplicate ones. Writes may arrive in another order than that of their sequence numbers.
 * Single-threaded.
 */
final class RetainedWrites {

    private final RetentionLimits retention;
    private final long missingThrough;
    private final Map<String, Bucket> buckets = new HashMap<>();
    private final RetainedWriteList order = new RetainedWriteList();

    /** @param missingThrough the last write that may be missing although it was not evicted here */
    RetainedWrites(RetentionLimits retention, long missingThrough) {
        this.retention = retention;
        this.missingThrough = missingThrough;
    }

    /** Retains the write; returns true if it is later than every retained write of its object. */
    boolean add(long sequence, WriteEvent write, Instant now) {
        Bucket bucket = bucket(write.bucket());
        boolean news = bucket.isLatest(write.id(), write.stamp());
        if (news) {
            bucket.put(RetainedWrite.whole(bucket, new Arrival(sequence, now), write));
        }
        evict(now);
        return news;
    }

    /**
     * Retains a stub of a write, without content to replay, so that an earlier write is recognised
     * as late.
     */
    void addStub(long sequence, String bucketName, String id, VersionStamp versionStamp, Instant now) {
        Bucket bucket = bucket(bucketName);
        bucket.recordEviction(sequence);
        if (bucket.isLatest(id, versionStamp)) {
            bucket.put(RetainedWrite.stub(bucket, new Arrival(sequence, now), id, versionStamp));
        }
        evict(now);
    }

    /**
     * Returns the latest write of each object of the bucket after the position, in order of
     * arrival; empty if one of them may have been evicted.
     */
    Optional<List<WriteEvent>> latestSince(StreamPosition since, String bucket) {
        Bucket known = buckets.get(bucket);
        if (known != null) {
            return known.latestSince(since);
        }
        return since.sequence() < missingThrough ? Optional.empty() : Optional.of(List.of());
    }

    /** Returns the latest write of an object, as long as it is retained. */
    Optional<LastWrite> latest(String bucketName, String id) {
        return Optional.ofNullable(buckets.get(bucketName))
                .flatMap(known -> Optional.ofNullable(known.latest.get(id)))
                .map(write -> new LastWrite(
                        write.stamp(),
                        Instant.ofEpochMilli(write.arrivedMillis()),
                        write.write().orElse(null)));
    }

    private Bucket bucket(String name) {
        return buckets.computeIfAbsent(name, unknown -> new Bucket());
    }

    /** Evicts writes that exceed the limits of age, number or bytes. */
    void evict(Instant now) {
        long oldest = now.minus(retention.age()).toEpochMilli();
        while (order.exceeds(retention) || order.beginsBefore(oldest)) {
            RetainedWrite eldest = order.eldest();
            eldest.bucket().evict(eldest);
        }
    }

    /** The retained writes of one bucket. */
    final class Bucket {

        private final Map<String, RetainedWrite> latest = new HashMap<>();
        private long evictedThrough = missingThrough;

        /**
         * Returns whether the write is later than the retained one; a whole write is later than its
         * stub.
         */
        private boolean isLatest(String id, VersionStamp versionStamp) {
            RetainedWrite known = latest.get(id);
            return known == null
                    || versionStamp.isAfter(known.stamp())
                    || (known.write().isEmpty() && versionStamp.equals(known.stamp()));
        }

        private void put(RetainedWrite retained) {
            RetainedWrite replaced = latest.remove(retained.id());
            if (replaced != null) {
                order.remove(replaced);
            }
            latest.put(retained.id(), retained);
            order.append(retained);
        }

        private void evict(RetainedWrite eldest) {
            recordEviction(eldest.sequence());
            latest.remove(eldest.id());
            order.remove(eldest);
        }

        private void recordEviction(long sequence) {
            evictedThrough = Math.max(evictedThrough, sequence);
        }

        private Optional<List<WriteEvent>> latestSince(StreamPosition since) {
            return evictedThrough > since.sequence()
                    ? Optional.empty()
                    : Optional.of(order.since(since.sequence()).stream()
                            .filter(retained -> retained.bucket().equals(this))
                            .flatMap(retained -> retained.write().stream())
                            .toList());
        }
    }
}
