package io.orestes.store;

import io.orestes.async.ConflictBackoff;
import io.orestes.async.Fence;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * The fence of buckets that are rewritten or dropped: it delays reads and refuses writes of an
 * older epoch. Reads of a fenced bucket wait for some seconds at most, since they would meet
 * objects of two epochs. A read that has begun before the bucket is closed is repeated. Writes that
 * ask for admission wait as well; those that come without it are refused. A write for an older
 * epoch is refused if it arrives after the rewrite. So is a write that was meant for a bucket
 * before it was dropped. Safe for all threads.
 */
public final class BucketFence {

    private static final RandomGenerator RANDOM =
            () -> ThreadLocalRandom.current().nextLong();

    private final Vertx vertx;
    private final Duration longestWait;
    private final Fence fence;
    /** Schema epoch of each bucket: the number of rewrites and drops. Absent for 0. */
    private volatile Map<String, Long> schemaEpochs = Map.of();
    /** First schema epoch of each bucket after its last drop. */
    private volatile Map<String, Long> dropEpochs = Map.of();

    /** @param longestWait time after which waiting reads and writes are refused */
    public BucketFence(Vertx vertx, Duration longestWait) {
        this.vertx = vertx;
        this.longestWait = longestWait;
        this.fence = new Fence(vertx, longestWait, BucketFence::beingChanged);
    }

    /** Returns the number of rewrites and drops of the bucket in this process. */
    public long schemaEpoch(String bucket) {
        return schemaEpochs.getOrDefault(bucket, 0L);
    }

    /**
     * Executes a read now, or when the bucket is open again. Repeats it if the bucket was closed
     * before it had an outcome.
     */
    public <T> Future<T> read(String bucket, Supplier<Future<T>> read) {
        return fence.read(bucket, read);
    }

    /**
     * Executes a write now, or when all of the buckets are open. Repeats it from its beginning if
     * it is refused because one of them was closed or has another epoch since it began, or because
     * the states have changed that it was checked by. {@link ConflictBackoff} lies between
     * repetitions. Fails with {@code UNAVAILABLE} after some time.
     */
    public <T> Future<T> writeWithRetry(Set<String> buckets, Supplier<Future<T>> write) {
        return new FencedWrite<>(buckets, write, System.nanoTime() + longestWait.toNanos()).next();
    }

    /** A write that is repeated until nothing has changed since it began. */
    private final class FencedWrite<T> {

        private final Set<String> buckets;
        private final Supplier<Future<T>> write;
        private final long end;
        private final ConflictBackoff conflictBackoff;

        /** @param end of the time for all attempts, by {@link System#nanoTime()} */
        private FencedWrite(Set<String> buckets, Supplier<Future<T>> write, long end) {
            this.buckets = buckets;
            this.write = write;
            this.end = end;
            this.conflictBackoff = new ConflictBackoff(vertx, end, RANDOM);
        }

        private Future<T> next() {
            return buckets.stream()
                    .filter(fence::isClosed)
                    .findFirst()
                    .map(bucket -> awaitOpening(bucket).compose(open -> next()))
                    .orElseGet(this::attempt);
        }

        /** After a failed rewrite the bucket stays closed, whatever the failure. */
        private Future<Void> awaitOpening(String bucket) {
            return fence.awaitOpening(bucket, Duration.ofNanos(end - System.nanoTime()))
                    .recover(failure -> Future.failedFuture(beingChanged(bucket)));
        }

        private Future<T> attempt() {
            return write.get()
                    .recover(failure -> ApiException.of(failure).isRepeatable() && !conflictBackoff.isExpired()
                            ? conflictBackoff.awaitNext().compose(due -> next())
                            : Future.failedFuture(failure));
        }
    }

    /** Fails with {@code UNAVAILABLE} while the bucket is being rewritten. */
    public void requireOpen(String bucket) {
        if (fence.isClosed(bucket)) {
            throw beingChanged(bucket);
        }
    }

    /**
     * Fails also if the epoch of the bucket is a later one. The epoch changes before the fence
     * opens.
     */
    public void requireOpen(String bucket, long schemaEpoch) {
        requireOpen(bucket);
        if (schemaEpoch != schemaEpoch(bucket)) {
            requireNotDropped(bucket, schemaEpoch);
            throw new ApiException(
                            ErrorCode.UNAVAILABLE, "Class " + bucket + " was changed while this was written; try again")
                    .asRepeatable();
        }
    }

    /**
     * Returns a guard that checks the fence and the schema epoch before the given guard. The
     * committer calls it.
     */
    public WriteGuard guardEpoch(WriteGuard guard, long schemaEpoch) {
        return (ref, current) -> {
            requireOpen(ref.bucket(), schemaEpoch);
            guard.check(ref, current);
        };
    }

    /** Returns a guard that accepts any later epoch, but not one after a drop. */
    public WriteGuard guardDrop(WriteGuard guard, long schemaEpoch) {
        return (ref, current) -> {
            requireOpen(ref.bucket());
            requireNotDropped(ref.bucket(), schemaEpoch);
            guard.check(ref, current);
        };
    }

    /** Refuses from now on writes that were meant for the bucket until now. */
    public synchronized void drop(String bucket) {
        long next = schemaEpoch(bucket) + 1;
        // in this order: a thread that sees the new epoch also finds the reason for a refusal
        dropEpochs = with(dropEpochs, bucket, next);
        schemaEpochs = with(schemaEpochs, bucket, next);
    }

    /** Delays reads and writes from now on. Those that wait already continue to wait. */
    public void close(Set<String> buckets) {
        fence.close(buckets);
    }

    /**
     * Opens the buckets after the rewrite. If it failed, fails all waiting reads instead, because
     * the objects are partly in the old and partly in the new form.
     */
    public void open(Set<String> rewritten, Future<Void> outcome) {
        if (outcome.succeeded()) {
            // before the fence opens: an older write is refused by either
            incrementEpochs(rewritten);
        }
        fence.open(rewritten, outcome);
    }

    private synchronized void incrementEpochs(Set<String> rewritten) {
        Map<String, Long> newer = new HashMap<>(schemaEpochs);
        rewritten.forEach(bucket -> newer.merge(bucket, 1L, Long::sum));
        schemaEpochs = Map.copyOf(newer);
    }

    private void requireNotDropped(String bucket, long schemaEpoch) {
        if (schemaEpoch < dropEpochs.getOrDefault(bucket, 0L)) {
            throw new ApiException(ErrorCode.BUCKET_NOT_FOUND, "There is no class /db/" + bucket + " any more");
        }
    }

    private static Map<String, Long> with(Map<String, Long> numbers, String bucket, long number) {
        Map<String, Long> next = new HashMap<>(numbers);
        next.put(bucket, number);
        return Map.copyOf(next);
    }

    private static ApiException beingChanged(String bucket) {
        return new ApiException(ErrorCode.UNAVAILABLE, "Class " + bucket + " is being changed; try again")
                .asRepeatable();
    }
}
