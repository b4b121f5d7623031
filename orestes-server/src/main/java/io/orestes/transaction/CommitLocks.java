package io.orestes.transaction;

import io.orestes.coordination.GroupLocks;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.vertx.core.Future;
import java.util.SortedMap;
import java.util.function.Supplier;

/**
 * The locks under which a server commits transactions. They are released when the outcome of the
 * commit is known, so that no other commit proceeds before. Thread-safe.
 */
public final class CommitLocks {

    private final GroupLocks locks;
    private final String process;
    private final InDoubtCommits inDoubtCommits;

    /**
     * @param locks locks of the group, of which the server is a member before the first commit
     * @param process name of the server in the store, for {@link LockHolder}
     * @param inDoubtCommits queue of the commits whose outcome is not known
     */
    public CommitLocks(GroupLocks locks, String process, InDoubtCommits inDoubtCommits) {
        this.locks = locks;
        this.process = process;
        this.inDoubtCommits = inDoubtCommits;
    }

    /** Fails with {@code UNAVAILABLE} if too many commits are in doubt for another one to begin. */
    void requireCapacity() {
        inDoubtCommits.requireCapacity();
    }

    /**
     * Runs a commit under its locks. If it fails they stay until its outcome is known.
     *
     * @param modes locks with their modes
     */
    <T> Future<T> runExclusively(String tid, SortedMap<String, GroupLocks.Mode> modes, Supplier<Future<T>> commit) {
        return locks.acquire(new LockHolder(tid, process).text(), modes).compose(lock -> run(tid, lock, commit));
    }

    private <T> Future<T> run(String tid, GroupLocks.Lock lock, Supplier<Future<T>> commit) {
        return requireReliable(lock)
                .compose(certain -> commit.get())
                .onSuccess(done -> lock.release())
                .recover(failure -> inDoubtCommits.resolve(tid, lock).transform(known -> Future.failedFuture(failure)));
    }

    private static Future<Void> requireReliable(GroupLocks.Lock lock) {
        return lock.isInDoubt()
                ? Future.failedFuture(new ApiException(
                        ErrorCode.UNAVAILABLE, "This server has lost touch with the others of its group"))
                : Future.succeededFuture();
    }
}
