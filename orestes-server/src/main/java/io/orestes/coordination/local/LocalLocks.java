package io.orestes.coordination.local;

import io.orestes.async.Contexts;
import io.orestes.coordination.GroupLocks.Lock;
import io.orestes.coordination.GroupLocks.Mode;
import io.orestes.coordination.TransactionResolver;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.TimeUnit;

/**
 * The lock table of the servers in this process, with one FIFO queue for each key. A request joins
 * the queues of all its keys in one step and then waits once. Guarded by its monitor.
 */
final class LocalLocks {

    private final Vertx vertx;
    private final Duration longest;
    private final Map<String, List<QueueEntry>> queues = new HashMap<>();

    LocalLocks(Vertx vertx, Duration timeout) {
        this.vertx = vertx;
        this.longest = timeout;
    }

    /** Implements {@link io.orestes.coordination.GroupLocks#acquire} for one server. */
    Future<Lock> acquire(
            LocalMembership owner,
            TransactionResolver transactionResolver,
            String transaction,
            SortedMap<String, Mode> modes) {
        LocalLockRequest claim = new LocalLockRequest(owner, transaction, left -> dequeue(modes, left));
        List<LocalLockRequest.LockWaiter> before = enqueue(modes, claim).stream()
                .map(earlier -> earlier.addWaiter(transactionResolver))
                .toList();
        Future<Lock> acquired = Future.all(
                        before.stream().map(LocalLockRequest.LockWaiter::turn).toList())
                .timeout(longest.toMillis(), TimeUnit.MILLISECONDS)
                .onComplete(over -> before.forEach(LocalLockRequest.LockWaiter::end))
                .map(turn -> granted(claim))
                .recover(failure -> rollBack(claim, failure));
        return Contexts.on(vertx.getOrCreateContext(), acquired);
    }

    /**
     * Returns the number of locked keys and queue entries of waiting requests; a key counts once
     * for each.
     */
    synchronized int lockCount() {
        return queues.values().stream().mapToInt(List::size).sum();
    }

    private static Future<Lock> rollBack(LocalLockRequest claim, Throwable failure) {
        claim.dequeue();
        return Future.failedFuture(
                failure instanceof ApiException known
                        ? known
                        : ApiException.fault(
                                ErrorCode.UNAVAILABLE,
                                "The locks of the commit could not be acquired in time",
                                failure));
    }

    private static Lock granted(LocalLockRequest claim) {
        if (claim.isInDoubt()) {
            throw new ApiException(ErrorCode.UNAVAILABLE, "This server is not a member of its group");
        }
        return claim;
    }

    private synchronized List<LocalLockRequest> enqueue(SortedMap<String, Mode> modes, LocalLockRequest claim) {
        List<LocalLockRequest> before = new ArrayList<>();
        modes.forEach((key, mode) -> {
            List<QueueEntry> queue = queues.computeIfAbsent(key, unused -> new ArrayList<>());
            queue.stream()
                    .filter(place -> place.excludes(mode))
                    .map(QueueEntry::claim)
                    .forEach(before::add);
            queue.add(new QueueEntry(mode, claim));
        });
        return before;
    }

    private synchronized void dequeue(SortedMap<String, Mode> modes, LocalLockRequest claim) {
        modes.keySet()
                .forEach(key -> queues.computeIfPresent(key, (same, queue) -> {
                    queue.removeIf(place -> place.claim() == claim);
                    return queue.isEmpty() ? null : queue;
                }));
    }

    /** One entry in the lock queue of one key: a mode and a lock request. */
    private record QueueEntry(Mode mode, LocalLockRequest claim) {

        private boolean excludes(Mode later) {
            return mode == Mode.WRITE || later == Mode.WRITE;
        }
    }
}
