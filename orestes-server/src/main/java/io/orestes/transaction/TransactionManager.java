package io.orestes.transaction;

import io.orestes.async.Backoff;
import io.orestes.coordination.Locks;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.Principal;
import io.orestes.write.WritePipeline;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.bson.BsonValue;

/**
 * The manager of optimistic, serializable transactions: begin, validate and commit, or abort
 * (protocol §12; ORESTES, ICDE workshops 2014, section IV.3). Clients read as always and keep their
 * writes until the commit, which is validated against the versions that were read. Open
 * transactions hold nothing, and any server of the group can commit them. Commits about the same
 * objects come one after the other. All reads and writes of a commit are checked and done at one
 * moment, which makes it serializable. Thread-safe.
 *
 * <p><b>Why a server that stands still breaks nothing</b>: its locks stay until somebody who meets
 * them has asked the {@link CommitLog}, which lets the commit succeed no more if it has not. Nobody
 * relies on the locks alone.
 */
public final class TransactionManager {

    /** Some kilobytes each, for the locks. */
    private static final int MOST_UNSETTLED = 10_000;

    private static final Duration SHORTEST_BREAK = Duration.ofSeconds(1);
    private static final Duration LONGEST_BREAK = Duration.ofSeconds(10);

    private final WritePipeline writes;
    private final TransactionConfig config;
    private final Locks locks;
    private final String process;
    private final CommitLog ends;
    private final TransactionIds ids;
    private final OpenTransactions open;
    private final InDoubtCommits unsettled;

    /**
     * Transactions of one server.
     *
     * @param secret what all servers of its group know and nobody else
     * @param locks of its group, of which it is a member before the first commit
     * @param process its name in the store, for {@link LockHolder}
     */
    public TransactionManager(
            Vertx vertx,
            WritePipeline writes,
            TransactionConfig config,
            byte[] secret,
            Locks locks,
            String process,
            CommitLog ends,
            InstantSource clock) {
        this.writes = writes;
        this.config = config;
        this.locks = locks;
        this.process = process;
        this.ends = ends;
        this.ids = new TransactionIds(secret, config.timeout(), clock);
        this.open = new OpenTransactions(config, clock);
        this.unsettled = new InDoubtCommits(
                vertx,
                ends::resolve,
                clock,
                ends.kept(),
                MOST_UNSETTLED,
                new Backoff(SHORTEST_BREAK, LONGEST_BREAK, new SplittableRandom()));
    }

    /**
     * Begins a transaction for somebody who may have as many as may be and returns its identity;
     * fails with {@code TOO_MANY_REQUESTS} if too many were begun here and are open.
     */
    public String begin(Principal principal) {
        String tid = ids.next(principal);
        open.add(tid);
        return tid;
    }

    /**
     * The same for one of many; fails also if too many of his are open.
     *
     * @param caller by what he is counted, not empty
     */
    public String begin(Principal principal, String caller) {
        String tid = ids.next(principal);
        open.add(tid, caller);
        return tid;
    }

    /**
     * Ends a transaction by doing all of its writes, or none. Fails with {@code
     * OBJECT_OUT_OF_DATE}, whose data names the {@code stale} objects, if what was read is not the
     * newest any more, with {@code TRANSACTION_INACTIVE} if it is not open or somebody else's, and
     * as each write alone would. Only after {@code BAD_REQUEST} for the body's form, and where no
     * locks could be had in time, can it be tried again. If the very same was committed already it
     * tells the same once more and does nothing, also some time after it could have been committed
     * the last time.
     *
     * @return what was written, in the order of the request
     */
    public Future<List<CommittedVersion>> commit(Principal principal, String tid, BsonValue body) {
        CommitRequest request = CommitRequest.parse(body, config.maxOperations());
        ids.requireAuthentic(tid, principal);
        unsettled.requireFew();
        open.remove(tid);
        Supplier<Future<List<CommittedVersion>>> commit =
                ids.isExpired(tid) ? () -> answerOnly(tid, request) : () -> commit(principal, tid, request);
        return request.isEmpty()
                ? commit.get()
                : locks.acquire(new LockHolder(tid, process).text(), request.locks())
                        .compose(lock -> locked(tid, lock, commit));
    }

    /**
     * Ends a transaction without writing anything; fails with {@code TRANSACTION_INACTIVE} if it is
     * not open.
     */
    public Future<Void> abort(Principal principal, String tid) {
        ids.require(tid, principal);
        open.remove(tid);
        return ends.abort(tid)
                .compose(end -> end.isEmpty() ? Future.succeededFuture() : Future.failedFuture(ids.inactive()));
    }

    private Future<List<CommittedVersion>> locked(
            String tid, Locks.Lock lock, Supplier<Future<List<CommittedVersion>>> commit) {
        return requireCertain(lock)
                .compose(certain -> commit.get())
                .onSuccess(done -> lock.release())
                .recover(failure -> unsettled.settle(tid, lock).transform(known -> Future.failedFuture(failure)));
    }

    private static Future<Void> requireCertain(Locks.Lock lock) {
        return lock.isDoubtful()
                ? Future.failedFuture(new ApiException(
                        ErrorCode.UNAVAILABLE, "This server has lost touch with the others of its group"))
                : Future.succeededFuture();
    }

    private Future<List<CommittedVersion>> commit(Principal principal, String tid, CommitRequest request) {
        return Future.succeededFuture()
                .compose(locked -> writes.commit(
                        principal,
                        request.reads(),
                        request.writes(),
                        checked -> ends.committed(tid, request.digest(), checked)))
                .map(CommitLog::of)
                .recover(failure -> explained(tid, request, failure));
    }

    /**
     * It was committed in time or never will be: an earlier request about the same objects is over,
     * as this one has the locks.
     */
    private Future<List<CommittedVersion>> answerOnly(String tid, CommitRequest request) {
        return ends.end(tid).compose(end -> end.map(known -> answer(known, request))
                .orElseGet(() -> Future.failedFuture(ids.inactive())));
    }

    /**
     * What failed may have been committed before, by this request or an earlier one; if not it
     * never will be.
     */
    private Future<List<CommittedVersion>> explained(String tid, CommitRequest request, Throwable failure) {
        return ends.abort(tid).compose(end -> end.filter(known -> !isUncertain(failure))
                .map(known -> answer(known, request))
                .orElseGet(() -> Future.failedFuture(failure)));
    }

    /** Who asks for something else has not lost an answer. */
    private Future<List<CommittedVersion>> answer(CommitLog.TransactionOutcome end, CommitRequest request) {
        return end.request().equals(request.digest())
                ? tellAgain(end).compose(told -> ends.versions(end.written()))
                : Future.failedFuture(ids.inactive());
    }

    /** Whoever committed it may have been gone before it told anybody. */
    private Future<?> tellAgain(CommitLog.TransactionOutcome end) {
        return writes.tellAgain(
                end.written().stream().map(CommittedVersion::ref).toList());
    }

    /**
     * Also what was committed is told to be so only when all caches and servers that have to know
     * of it do.
     */
    private static boolean isUncertain(Throwable failure) {
        ErrorCode code = ApiException.of(failure).code();
        return code == ErrorCode.UNAVAILABLE || code == ErrorCode.INTERNAL_SERVER_ERROR;
    }
}
