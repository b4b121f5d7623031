package io.orestes.coordination.zookeeper;

import io.orestes.async.Contexts;
import io.orestes.coordination.GroupLocks;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.vertx.core.Future;
import java.util.HashSet;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.curator.framework.api.transaction.CuratorOp;
import org.apache.curator.framework.api.transaction.CuratorTransactionResult;
import org.apache.curator.framework.api.transaction.OperationType;
import org.apache.curator.utils.ZKPaths;
import org.apache.curator.x.async.api.AsyncPathAndBytesable;
import org.apache.curator.x.async.api.AsyncTransactionOp;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;

/**
 * Fair shared and exclusive locks on sequential ZooKeeper nodes, with all keys of a request
 * enqueued atomically. A request creates its nodes in one step, a multi, and then waits once for
 * the requests before it. Nodes below one shard are numbered in the order of their creation. All
 * nodes of a multi are created at one moment, so that order is the same below all shards. The names
 * below the shards are requested together with the multi, which is answered first while the
 * connection lasts. So a lock without conflict costs a single round trip. Names without those of
 * the request were read before its multi, and are read again. Called on the coordinator's context.
 */
final class ZooKeeperLocks {

    private final ZooKeeperMembership membership;
    private final ZooKeeperSession session;
    private final NodeRemover nodeRemover;
    private final LockReleaseWatcher lockReleaseWatcher;
    private int requestCount;

    ZooKeeperLocks(
            ZooKeeperMembership membership,
            ZooKeeperSession session,
            NodeRemover nodeRemover,
            LockReleaseWatcher lockReleaseWatcher) {
        this.membership = membership;
        this.session = session;
        this.nodeRemover = nodeRemover;
        this.lockReleaseWatcher = lockReleaseWatcher;
    }

    /** Implements {@link GroupLocks#acquire} for one membership. */
    Future<GroupLocks.Lock> acquire(String transaction, SortedMap<String, GroupLocks.Mode> modes) {
        requestCount++;
        LockRequest request = new LockRequest(
                new LockNode.LockRequestId(membership.self().id(), "%08x".formatted(requestCount)),
                transaction,
                byHash(modes));
        Future<List<LockNode>> enqueued = enqueue(request);
        Future<List<LockNode>> seen = nodeRemover.nodesBelow(request.shards());
        Future<GroupLocks.Lock> acquired = enqueued.compose(
                        own -> seen.compose(all -> readAfter(own, all, request)).compose(all -> awaitTurn(own, all)))
                .timeout(session.times().lockWait().toMillis(), TimeUnit.MILLISECONDS)
                .compose(turn -> enqueued)
                .map(this::granted);
        return Contexts.on(session.context(), acquired).recover(failure -> rollBack(request.id(), enqueued, failure));
    }

    private static SortedMap<String, GroupLocks.Mode> byHash(SortedMap<String, GroupLocks.Mode> modes) {
        SortedMap<String, GroupLocks.Mode> byHash = new TreeMap<>();
        modes.forEach((key, mode) -> byHash.put(ZooKeeperPaths.hash(key), mode));
        return byHash;
    }

    private Future<List<LockNode>> enqueue(LockRequest request) {
        return membership.multi(builder -> creations(builder, request)).map(results -> results.stream()
                .flatMap(ZooKeeperLocks::created)
                .toList());
    }

    private static List<CuratorOp> creations(AsyncTransactionOp builder, LockRequest request) {
        AsyncPathAndBytesable<CuratorOp> creation = builder.create().withMode(CreateMode.PERSISTENT_SEQUENTIAL);
        byte[] data = ZNode.data(request.transaction());
        return request.modes().entrySet().stream()
                .map(key -> creation.forPath(request.path(key.getKey(), key.getValue()), data))
                .toList();
    }

    private static Stream<LockNode> created(CuratorTransactionResult result) {
        if (result.getType() != OperationType.CREATE) {
            return Stream.empty();
        }
        ZKPaths.PathAndNode created = ZKPaths.getPathAndNode(result.getResultPath());
        return LockNode.parse(created.getPath(), created.getNode()).stream();
    }

    /** Returns the names that contain those of the request, and so all that were there before. */
    private Future<List<LockNode>> readAfter(List<LockNode> own, List<LockNode> all, LockRequest request) {
        return new HashSet<>(all).containsAll(own)
                ? Future.succeededFuture(all)
                : nodeRemover.nodesBelow(request.shards());
    }

    private Future<?> awaitTurn(List<LockNode> own, List<LockNode> all) {
        SortedMap<String, LockNode> byHash = new TreeMap<>();
        own.forEach(node -> byHash.put(node.hash(), node));
        return Future.all(all.stream()
                .filter(other -> blocks(other, byHash))
                .map(lockReleaseWatcher::awaitRelease)
                .toList());
    }

    private static boolean blocks(LockNode other, SortedMap<String, LockNode> own) {
        LockNode mine = own.get(other.hash());
        return mine != null && other.isBefore(mine);
    }

    private GroupLocks.Lock granted(List<LockNode> own) {
        if (!membership.isCurrent()) {
            throw new ApiException(ErrorCode.UNAVAILABLE, "This server is not a member of its group at the moment");
        }
        return new GrantedLock(this, own);
    }

    /**
     * Releases the locks of a failed request, including those that may be granted later or without
     * a response.
     */
    private Future<GroupLocks.Lock> rollBack(
            LockNode.LockRequestId id, Future<List<LockNode>> enqueued, Throwable failure) {
        enqueued.onComplete(nodeRemover::removeLater, unknown -> {
            if (ZooKeeperSession.is(unknown, Code.NONODE, Code.BADVERSION)) {
                membership.lose();
            } else {
                nodeRemover.removeLater(id);
            }
        });
        return Future.failedFuture(
                failure instanceof ApiException known
                        ? known
                        : ApiException.fault(
                                ErrorCode.UNAVAILABLE,
                                "The locks of the commit could not be acquired in time",
                                failure));
    }

    /**
     * A request for locks.
     *
     * @param transaction transaction to resolve if this server fails to release them
     * @param modes modes by the hash of the key
     */
    private record LockRequest(
            LockNode.LockRequestId id, String transaction, SortedMap<String, GroupLocks.Mode> modes) {

        private String path(String hash, GroupLocks.Mode mode) {
            return ZooKeeperPaths.shardOf(hash) + "/" + id.nodeName(mode, hash);
        }

        private List<String> shards() {
            return modes.keySet().stream()
                    .map(ZooKeeperPaths::shardOf)
                    .distinct()
                    .toList();
        }
    }

    /** An acquired lock, whose nodes are first in the queues of their keys. Thread-safe. */
    private record GrantedLock(ZooKeeperLocks owner, List<LockNode> nodes) implements GroupLocks.Lock {

        @Override
        public boolean isInDoubt() {
            return !owner.membership.isCurrent();
        }

        @Override
        public void release() {
            owner.session.context().runOnContext(later -> owner.nodeRemover.removeLater(nodes));
        }
    }
}
