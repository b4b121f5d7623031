package io.orestes.transaction;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.Outcome;
import io.orestes.model.Principal;
import io.orestes.write.WritePipeline;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.UUID;
import org.bson.BsonValue;

/**
 * Optimistic transactions (protocol §12): clients read as always and keep their writes until the commit, which is validated
 * against the versions that were read. Those that are open are known by their identity only and hold nothing. Serializable:
 * commits about the same objects come one after the other, and of a commit's reads and writes all are checked and done at
 * one moment. Thread-safe.
 */
public final class Transactions {

    private final WritePipeline writes;
    private final TransactionConfig config;
    private final Locks locks;
    private final Cache<String, Boolean> open;

    /** Transactions of one process. */
    public Transactions(Vertx vertx, WritePipeline writes, TransactionConfig config) {
        this(writes, config, new LocalLocks(vertx), Ticker.systemTicker());
    }

    Transactions(WritePipeline writes, TransactionConfig config, Locks locks, Ticker time) {
        this.writes = writes;
        this.config = config;
        this.locks = locks;
        this.open = Caffeine.newBuilder()
                .expireAfterWrite(config.timeout())
                .ticker(time)
                .executor(Runnable::run)
                .build();
    }

    /** Begins a transaction and returns its identity; fails with {@code TOO_MANY_REQUESTS} if too many are open. */
    public String begin() {
        if (open.estimatedSize() >= config.maxOpen()) {
            open.cleanUp();
        }
        if (open.estimatedSize() >= config.maxOpen()) {
            throw new ApiException(ErrorCode.TOO_MANY_REQUESTS, "Too many transactions are open");
        }
        String tid = UUID.randomUUID().toString();
        open.put(tid, true);
        return tid;
    }

    /**
     * Ends a transaction by doing all of its writes, or none. Fails with {@code OBJECT_OUT_OF_DATE}, whose data names the
     * {@code stale} objects, if what was read is not the newest any more, with {@code TRANSACTION_INACTIVE} if it is not
     * open, and as each write alone would. Only after {@code BAD_REQUEST} for the body's form can it be tried again.
     *
     * @return what was written, in the order of the request
     */
    public Future<List<Outcome>> commit(Principal principal, String tid, BsonValue body) {
        CommitRequest request = CommitRequest.parse(body, config.maxOperations());
        end(tid);
        return request.isEmpty()
                ? Future.succeededFuture(List.of())
                : locks.acquire(request.locks())
                        .compose(lock -> commit(principal, request).onComplete(done -> lock.release()));
    }

    /** Ends a transaction without writing anything; fails with {@code TRANSACTION_INACTIVE} if it is not open. */
    public void abort(String tid) {
        end(tid);
    }

    private Future<List<Outcome>> commit(Principal principal, CommitRequest request) {
        return Future.succeededFuture().compose(locked -> writes.commit(principal, request.reads(), request.writes()));
    }

    private void end(String tid) {
        if (open.asMap().remove(tid) == null) {
            throw new ApiException(
                    ErrorCode.TRANSACTION_INACTIVE,
                    "The transaction is unknown, has ended, or was open for longer than "
                            + config.timeout().toSeconds() + " s");
        }
    }
}
