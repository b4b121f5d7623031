package io.orestes.store;

import io.invalidb.query.value.HeapSize;
import io.orestes.limits.ByteBudget;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.StoredObject;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * The memory budget that all query results share from their reading until the response is handed
 * over. It prevents that a few requests for large objects use up the heap. A result of one object
 * is allowed however large the object is. Thread-safe.
 */
public final class ResultBudget {

    /**
     * Size in bytes up to which a result is not counted, or a 64th of the budget if that is less.
     * Large results therefore do not exclude small ones.
     */
    private static final long UNCOUNTED_BYTES = 256 << 10;

    private static final long MIN_RESULT_BYTES = 8 << 20;
    private static final long MAX_RESULT_BYTES = 32 << 20;

    private final long maxResultBytes;
    private final long totalBytes;
    private final long uncountedBytes;
    private final ByteBudget counted = new ByteBudget();

    /**
     * Creates a budget of a given size.
     *
     * @param most bytes of one result
     * @param all bytes of all results at a time
     */
    public ResultBudget(long most, long all) {
        this.maxResultBytes = most;
        this.totalBytes = all;
        this.uncountedBytes = Math.min(UNCOUNTED_BYTES, all / 64);
    }

    /**
     * Creates the budget for the heap: an eighth of it for all results, half of that for one but no
     * more than 32 MB. A small heap has a budget of two results of 8 MB.
     */
    public static ResultBudget ofHeap() {
        return ofHeap(Runtime.getRuntime().maxMemory());
    }

    /** Creates the budget for a heap of that many bytes. */
    static ResultBudget ofHeap(long heap) {
        long most = Math.max(MIN_RESULT_BYTES, Math.min(MAX_RESULT_BYTES, heap / 16));
        return new ResultBudget(most, Math.max(2 * most, heap / 8));
    }

    /**
     * Reads a result within the budget.
     *
     * @param bound the part of the budget that the result may take
     * @param read has to count the objects that it retains in parts of the share, and fails with
     *     the exception of a count
     */
    public <T> Future<T> readWithin(StoreQuery.MemoryBound bound, Function<ResultShare, Future<T>> read) {
        ResultShare resultShare = new ResultShare(bound);
        @Nullable Context caller = Vertx.currentContext();
        return Future.<Void>succeededFuture()
                .compose(begun -> read.apply(resultShare))
                .onComplete(done -> {
                    // callbacks of others run right after this
                    if (caller == null) {
                        resultShare.end();
                    } else {
                        caller.runOnContext(later -> resultShare.end());
                    }
                });
    }

    /**
     * Reads several queries as one result, which fails with the first of them.
     *
     * @param use uses the results; they are counted until its future completes
     */
    public <T> Future<T> readAllWithin(
            List<StoreQuery> queries,
            BiFunction<StoreQuery, PartialResultShare, Future<List<StoredObject>>> read,
            Function<List<List<StoredObject>>, Future<T>> use) {
        StoreQuery.MemoryBound bound = queries.stream()
                .map(StoreQuery::bound)
                .max(Comparator.naturalOrder())
                .orElse(StoreQuery.MemoryBound.NONE);
        return readWithin(bound, resultShare -> Future.all(queries.stream()
                        .map(query -> read.apply(query, resultShare.part()))
                        .toList())
                .compose(results -> use.apply(results.list())));
    }

    /** Bytes that one result may take. */
    long maxResultBytes() {
        return maxResultBytes;
    }

    /** Bytes that all results may take. */
    long totalBytes() {
        return totalBytes;
    }

    /** Bytes that are taken now. */
    long usedBytes() {
        return counted.usedBytes();
    }

    /**
     * The share of one query result in the memory budget, released when the result is used.
     * Thread-safe.
     */
    public final class ResultShare {

        private final boolean isBounded;
        private final long limitBytes;
        private long bytes;

        /** Bytes of this share that are taken from the budget of all results. */
        private long countedBytes;

        private boolean ended;

        private ResultShare(StoreQuery.MemoryBound bound) {
            this.isBounded = bound != StoreQuery.MemoryBound.NONE;
            this.limitBytes = bound == StoreQuery.MemoryBound.HALF
                    ? ResultBudget.this.totalBytes / 2
                    : ResultBudget.this.totalBytes;
        }

        /** Returns a share for a part of the result that is read separately. */
        public PartialResultShare part() {
            return new PartialResultShare(this);
        }

        private synchronized void reserve(long size) {
            if (bytes > 0 && bytes + size > maxResultBytes) {
                throw new ApiException(
                        ErrorCode.QUERY_NOT_SUPPORTED,
                        "The result, with what comes before its start, takes more than " + maxResultBytes / (1 << 20)
                                + " MB of the server's memory; ask for fewer objects at once,"
                                + " by a count or limit or by a narrower filter");
            }
            if (ended || !reserveIfFree(bytes + size)) {
                throw new ApiException(ErrorCode.UNAVAILABLE, "Too many large results at once; try again in a moment")
                        .withRetryAfter(Duration.ofSeconds(1));
            }
            bytes += size;
        }

        /**
         * Counts the given size if the budget has room for it, or if no other result is counted.
         */
        private boolean reserveIfFree(long next) {
            long more = countable(next) - countedBytes;
            boolean fits = counted.tryReserve(more, limitBytes) || (bytes == 0 && counted.tryReserveAlone(more));
            if (fits) {
                countedBytes += more;
            }
            return fits;
        }

        private long countable(long size) {
            return size <= uncountedBytes ? 0 : size;
        }

        /**
         * Returns bytes to the budget. After the end it does nothing, so no bytes are returned
         * twice.
         */
        private synchronized void release(long size) {
            if (!ended) {
                bytes -= size;
                long less = countedBytes - countable(bytes);
                countedBytes -= less;
                counted.release(less);
            }
        }

        private synchronized void end() {
            release(bytes);
            ended = true;
        }
    }

    /**
     * The share of one part of a result, which is read separately from the other parts. Used by one
     * thread at a time.
     */
    public static final class PartialResultShare {

        private final ResultShare resultShare;
        private long bytes;

        private PartialResultShare(ResultShare resultShare) {
            this.resultShare = resultShare;
        }

        /**
         * Counts one more object. Fails with {@code QUERY_NOT_SUPPORTED} if that is too much for
         * one result, with {@code UNAVAILABLE} if other results take the rest of the budget.
         */
        public void add(BsonDocument object) {
            if (resultShare.isBounded) {
                long size = HeapSize.of(object);
                resultShare.reserve(size);
                bytes += size;
            }
        }

        /** Returns the bytes of an object that was added and is no longer retained. */
        public void remove(BsonDocument object) {
            if (resultShare.isBounded) {
                long size = HeapSize.of(object);
                resultShare.release(size);
                bytes -= size;
            }
        }

        /** Returns all bytes, before the part is read again. */
        public void clear() {
            resultShare.release(bytes);
            bytes = 0;
        }
    }
}
