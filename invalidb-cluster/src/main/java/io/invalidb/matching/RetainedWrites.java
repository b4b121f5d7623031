package io.invalidb.matching;

import io.invalidb.model.Position;
import io.invalidb.model.WriteEvent;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The recent part of the write stream as one cell saw it: of each object the latest write, without those that came late or
 * twice. Writes may arrive in another order than that of their sequence numbers. Single-threaded.
 */
final class RetainedWrites {

    private final Retention retention;
    private final Deque<Arrival> arrivals = new ArrayDeque<>();
    private final Map<String, Bucket> buckets = new HashMap<>();
    private long bytes = 0;

    RetainedWrites(Retention retention) {
        this.retention = retention;
    }

    /** Keeps the write and says whether it is news, i.e. later than every retained write of its object. */
    boolean add(long sequence, WriteEvent write, Instant now) {
        Bucket bucket = buckets.computeIfAbsent(write.bucket(), name -> new Bucket());
        RetainedWrite latest = bucket.latest.get(write.id());
        boolean news = latest == null || write.stamp().isAfter(latest.write().stamp());
        if (news) {
            arrivals.add(new Arrival(sequence, write.bucket(), write.id(), now));
            bytes += bucket.put(new RetainedWrite(sequence, write));
        }
        evict(now);
        return news;
    }

    private void evict(Instant now) {
        Instant oldest = now.minus(retention.age());
        while (isTooMuch() || (!arrivals.isEmpty() && arrivals.getFirst().at().isBefore(oldest))) {
            Arrival evicted = arrivals.removeFirst();
            bytes -= buckets.getOrDefault(evicted.bucket(), new Bucket()).evict(evicted);
        }
    }

    private boolean isTooMuch() {
        return arrivals.size() > retention.writes() || (bytes > retention.maxBytes() && arrivals.size() > 1);
    }

    /** Whether no write of the bucket after the position has been given up. */
    boolean reachesBackTo(Position since, String bucket) {
        Bucket known = buckets.get(bucket);
        return known == null || known.evictedThrough <= since.sequence();
    }

    /** The latest write of each object of the bucket, if it came after the position; in order of arrival. */
    List<WriteEvent> latestSince(Position since, String bucket) {
        Bucket known = buckets.get(bucket);
        return known == null ? List.of() : known.latestSince(since);
    }

    /** That a write came; without its document, which a later write of the object makes superfluous. */
    private record Arrival(long sequence, String bucket, String id, Instant at) {}

    /** What is retained of one bucket. */
    private static final class Bucket {

        private final Map<String, RetainedWrite> latest = new LinkedHashMap<>();
        private long evictedThrough = 0;

        /** Returns how many bytes more are held than before. */
        private long put(RetainedWrite retained) {
            RetainedWrite replaced = latest.remove(retained.write().id());
            latest.put(retained.write().id(), retained);
            return retained.bytes() - (replaced == null ? 0 : replaced.bytes());
        }

        /** Returns how many bytes that frees: a write that a later one replaced has left nothing to give up. */
        private long evict(Arrival evicted) {
            RetainedWrite held = latest.get(evicted.id());
            if (held == null || held.sequence() != evicted.sequence()) {
                return 0;
            }
            evictedThrough = Math.max(evictedThrough, evicted.sequence());
            latest.remove(evicted.id());
            return held.bytes();
        }

        private List<WriteEvent> latestSince(Position since) {
            return latest.values().stream()
                    .filter(retained -> retained.sequence() > since.sequence())
                    .map(RetainedWrite::write)
                    .toList();
        }
    }
}
