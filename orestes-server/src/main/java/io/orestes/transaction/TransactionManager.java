package io.orestes.transaction;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.Principal;
import io.orestes.write.WritePipeline;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.Supplier;
import org.bson.BsonValue;

/**
 * The manager of optimistic, serializable transactions: begin, validate and commit, or abort
 * (protocol §12; ORESTES, ICDE workshops 2014, section IV.3). Clients read as always and buffer
 * their writes until the commit, which is validated against the versions that were read. Open
 * transactions own no resources of the server, and any server of the group can commit them. Commits
 * with common objects run one after the other. All reads and writes of a commit are checked and
 * committed at one moment, which makes it serializable. Thread-safe.
 *
 * <p><b>Why a stalled server breaks nothing</b>: its locks stay until another server meets them and
 * queries the {@link CommitOutcomeLog}, which thereby aborts the commit if it has not happened yet.
 * No server relies on the locks alone.
 */
public final class TransactionManager {

    private final WritePipeline writes;
    private final TransactionConfig config;
    private final TransactionIds ids;
    private final CommitLocks locks;
    private final CommitOutcomeLog commitOutcomeLog;
    private final OpenTransactionLimiter open;

    /** Creates the manager of one server. */
    public TransactionManager(
            WritePipeline writes,
            TransactionConfig config,
            TransactionIds ids,
            CommitLocks locks,
            CommitOutcomeLog commitOutcomeLog) {
        this.writes = writes;
        this.config = config;
        this.ids = ids;
        this.locks = locks;
        this.commitOutcomeLog = commitOutcomeLog;
        this.open = new OpenTransactionLimiter(config, ids);
    }

    /**
     * Begins a transaction without a limit per caller and returns its id. Fails with {@code
     * TOO_MANY_REQUESTS} if too many were begun here and are open.
     */
    public String begin(Principal principal) {
        String tid = ids.next(principal);
        open.add(tid);
        return tid;
    }

    /**
     * Begins a transaction with a limit per caller; fails also if too many of the caller are open.
     *
     * @param caller key by which the caller's transactions are counted, not empty
     */
    public String begin(Principal principal, String caller) {
        String tid = ids.next(principal);
        open.add(tid, caller);
        return tid;
    }

    /**
     * Ends a transaction by committing all of its writes, or none. Fails with {@code
     * OBJECT_OUT_OF_DATE}, whose data names the {@code stale} objects, if the read set is not
     * current any more. Fails with {@code TRANSACTION_INACTIVE} if the transaction is not open or
     * another caller's, and as each write alone would. It can be retried only after {@code
     * BAD_REQUEST} for the body's form, and after a time-out of the locks. If an identical request
     * was committed already, returns the outcome again and does nothing, also some time after the
     * transaction has expired.
     *
     * @return the written versions, in the order of the request
     */
    public Future<List<CommittedVersion>> commit(Principal principal, String tid, BsonValue body) {
        CommitRequest request = CommitRequest.parse(body, config.maxOperations());
        ids.requireAuthentic(tid, principal);
        locks.requireCapacity();
        open.remove(tid);
        Supplier<Future<List<CommittedVersion>>> commit =
                ids.isExpired(tid) ? () -> answerFromLog(tid, request) : () -> commit(principal, tid, request);
        return request.isEmpty() ? commit.get() : locks.runExclusively(tid, request.locks(), commit);
    }

    /**
     * Ends a transaction without writing anything; fails with {@code TRANSACTION_INACTIVE} if it is
     * not open.
     */
    public Future<Void> abort(Principal principal, String tid) {
        ids.require(tid, principal);
        open.remove(tid);
        return commitOutcomeLog
                .abort(tid)
                .compose(end -> end.isEmpty() ? Future.succeededFuture() : Future.failedFuture(ids.inactive()));
    }

    private Future<List<CommittedVersion>> commit(Principal principal, String tid, CommitRequest request) {
        return Future.succeededFuture()
                .compose(locked -> writes.commit(
                        principal,
                        request.reads(),
                        request.writes(),
                        checked -> commitOutcomeLog.commitRecord(tid, request.digest(), checked)))
                .map(CommitOutcomeLog::of)
                .recover(failure -> diagnose(tid, request, failure));
    }

    /**
     * Returns the logged outcome of an expired transaction. It was committed in time or never will
     * be: an earlier request for the same objects has ended, because this one has the locks.
     */
    private Future<List<CommittedVersion>> answerFromLog(String tid, CommitRequest request) {
        return commitOutcomeLog.outcome(tid).compose(end -> end.map(known -> answer(known, request))
                .orElseGet(() -> Future.failedFuture(ids.inactive())));
    }

    /**
     * Handles a failure. The transaction may have been committed before, by this request or an
     * earlier one; otherwise it is aborted now.
     */
    private Future<List<CommittedVersion>> diagnose(String tid, CommitRequest request, Throwable failure) {
        return commitOutcomeLog.abort(tid).compose(end -> end.filter(known -> !isInDoubt(failure))
                .map(known -> answer(known, request))
                .orElseGet(() -> Future.failedFuture(failure)));
    }

    /** Returns the outcome only for an identical request, whose response may have been lost. */
    private Future<List<CommittedVersion>> answer(CommitOutcomeLog.TransactionOutcome end, CommitRequest request) {
        return end.request().equals(request.digest())
                ? republish(end).compose(published -> commitOutcomeLog.versions(end.written()))
                : Future.failedFuture(ids.inactive());
    }

    /**
     * Publishes the writes again, because the server that committed them may have failed before.
     */
    private Future<?> republish(CommitOutcomeLog.TransactionOutcome end) {
        return writes.republish(
                end.written().stream().map(CommittedVersion::ref).toList());
    }

    /**
     * True if the outcome is uncertain: a committed transaction is acknowledged only after all
     * caches and servers concerned have applied it.
     */
    private static boolean isInDoubt(Throwable failure) {
        ErrorCode code = ApiException.of(failure).code();
        return code == ErrorCode.UNAVAILABLE || code == ErrorCode.INTERNAL_SERVER_ERROR;
    }
}
