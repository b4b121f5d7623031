package io.orestes.coordination.zookeeper;

import io.orestes.async.Contexts;
import io.orestes.coordination.Locks;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.ZooDefs.Ids;

/**
 * Fair shared and exclusive locks on sequential ZooKeeper nodes, with all keys of a request
 * enqueued atomically. A request creates its nodes in one step, a multi, and then waits once for
 * the requests before it. Nodes below one shard are numbered in the order of their creation. All
 * nodes of a multi are created at one moment, so that order is the same below all shards. The names
 * below the shards are requested together with the multi, which is answered first (ZooKeeper
 * preserves the order of a session). So a lock without conflict costs a single round trip. Called
 * on the coordinator's context.
 */
final class ZooKeeperLocks {

    private final Context home;
    private final ZooKeeperPaths zooKeeperPaths;
    private final Duration longest;

    ZooKeeperLocks(Context home, ZooKeeperConfig config) {
        this.home = home;
        this.zooKeeperPaths = new ZooKeeperPaths(config.root());
        this.longest = config.times().lockWait();
    }

    /** Implements {@link Locks#acquire} for one membership. */
    Future<Locks.Lock> acquire(
            ZooKeeperMembership zooKeeperMembership, String transaction, SortedMap<String, Locks.Mode> modes) {
        SortedMap<String, Locks.Mode> byHash = byHash(modes);
        LockNode.LockRequestId claim = zooKeeperMembership.nextRequestId();
        Future<List<LockNode>> entered = enqueue(zooKeeperMembership, claim, transaction, byHash);
        Future<List<LockNode>> seen = zooKeeperMembership
                .nodeRemover()
                .nodesBelow(byHash.keySet().stream()
                        .map(zooKeeperPaths::shardOf)
                        .distinct()
                        .toList());
        Future<Locks.Lock> acquired = entered.compose(
                        own -> seen.compose(all -> awaitTurn(zooKeeperMembership, own, all)))
                .timeout(longest.toMillis(), TimeUnit.MILLISECONDS)
                .compose(turn -> entered)
                .map(own -> granted(zooKeeperMembership, own));
        return Contexts.on(home, acquired).recover(failure -> rollBack(zooKeeperMembership, claim, entered, failure));
    }

    private static SortedMap<String, Locks.Mode> byHash(SortedMap<String, Locks.Mode> modes) {
        SortedMap<String, Locks.Mode> byHash = new TreeMap<>();
        modes.forEach((key, mode) -> byHash.put(ZooKeeperPaths.hash(key), mode));
        return byHash;
    }

    private Future<List<LockNode>> enqueue(
            ZooKeeperMembership zooKeeperMembership,
            LockNode.LockRequestId claim,
            String transaction,
            SortedMap<String, Locks.Mode> byHash) {
        byte[] data = transaction.getBytes(StandardCharsets.UTF_8);
        List<Op> operations = new ArrayList<>();
        operations.add(zooKeeperMembership.checkSelf());
        byHash.forEach((hash, mode) -> operations.add(Op.create(
                zooKeeperPaths.shardOf(hash) + "/" + claim.nodeName(mode, hash),
                data,
                Ids.OPEN_ACL_UNSAFE,
                CreateMode.PERSISTENT_SEQUENTIAL)));
        return zooKeeperMembership.session().multi(operations).map(ZooKeeperLocks::created);
    }

    private static List<LockNode> created(List<OpResult> results) {
        return results.stream().flatMap(ZooKeeperLocks::created).toList();
    }

    private static Stream<LockNode> created(OpResult result) {
        if (!(result instanceof OpResult.CreateResult created)) {
            return Stream.empty();
        }
        int slash = created.getPath().lastIndexOf('/');
        return LockNode.parse(
                created.getPath().substring(0, slash), created.getPath().substring(slash + 1))
                .stream();
    }

    private static Future<?> awaitTurn(
            ZooKeeperMembership zooKeeperMembership, List<LockNode> own, List<LockNode> all) {
        SortedMap<String, LockNode> byHash = new TreeMap<>();
        own.forEach(node -> byHash.put(node.hash(), node));
        return Future.all(all.stream()
                .filter(other -> blocks(other, byHash))
                .map(zooKeeperMembership.lockReleaseWatcher()::awaitRelease)
                .toList());
    }

    private static boolean blocks(LockNode other, SortedMap<String, LockNode> own) {
        LockNode mine = own.get(other.hash());
        return mine != null && other.isBefore(mine);
    }

    private Locks.Lock granted(ZooKeeperMembership zooKeeperMembership, List<LockNode> own) {
        if (!zooKeeperMembership.isCurrent()) {
            throw new ApiException(ErrorCode.UNAVAILABLE, "This server is not a member of its group at the moment");
        }
        return new ZooKeeperLock(home, zooKeeperMembership, own);
    }

    /**
     * Releases the locks of a failed request, including those that may be granted later or without
     * a response.
     */
    private static Future<Locks.Lock> rollBack(
            ZooKeeperMembership zooKeeperMembership,
            LockNode.LockRequestId claim,
            Future<List<LockNode>> entered,
            Throwable failure) {
        entered.onComplete(
                own -> zooKeeperMembership
                        .nodeRemover()
                        .removeLater(own.stream().map(LockNode::path).toList()),
                unknown -> {
                    if (ZooKeeperSession.is(unknown, Code.NONODE, Code.BADVERSION)) {
                        zooKeeperMembership.lose();
                    } else {
                        zooKeeperMembership.nodeRemover().removeLater(claim);
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
}
