package io.orestes.coordination.zookeeper;

import io.orestes.async.Loop;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A remover of obsolete lock nodes that retries across lost connections while the session lasts.
 * Other members remove the nodes that are left when the session ends. Called on the coordinator's
 * context.
 */
final class NodeRemover {

    private static final Logger log = LoggerFactory.getLogger(NodeRemover.class);

    private static final long RETRY_DELAY_MILLIS = 200;

    private final Vertx vertx;
    private final ZooKeeperSession zooKeeperSession;
    private final ZooKeeperPaths zooKeeperPaths;
    private boolean isOver;

    NodeRemover(Vertx vertx, ZooKeeperSession zooKeeperSession, ZooKeeperPaths zooKeeperPaths) {
        this.vertx = vertx;
        this.zooKeeperSession = zooKeeperSession;
        this.zooKeeperPaths = zooKeeperPaths;
    }

    /** Ends all further attempts. */
    void end() {
        isOver = true;
    }

    /** Deletes nodes in one step if all exist, and otherwise each that exists. */
    Future<Void> remove(Collection<String> nodes) {
        return withRetries(() -> removeOnce(nodes));
    }

    /** Deletes all nodes of a claim, in all shards. */
    Future<Void> remove(LockNode.LockRequestId claim) {
        return withRetries(() -> nodesOf(claim).compose(this::removeOnce));
    }

    /** Deletes nodes in the background; does nothing after {@link #end}. */
    void removeLater(Collection<String> nodes) {
        if (!isOver) {
            remove(nodes).onFailure(NodeRemover::leftToOthers);
        }
    }

    /** Deletes all nodes of a claim in the background. */
    void removeLater(LockNode.LockRequestId claim) {
        if (!isOver) {
            remove(claim).onFailure(NodeRemover::leftToOthers);
        }
    }

    /** Returns all nodes of acquired and requested locks. */
    Future<List<LockNode>> nodes() {
        return nodesBelow(zooKeeperPaths.shards());
    }

    /**
     * Returns the nodes below some shards. All reads are sent together, so they see one moment
     * after earlier requests.
     */
    Future<List<LockNode>> nodesBelow(Collection<String> shards) {
        List<Future<List<LockNode>>> below = shards.stream()
                .map(shard -> zooKeeperSession.children(shard).map(names -> parsed(shard, names)))
                .toList();
        return Future.all(below)
                .map(all ->
                        below.stream().flatMap(each -> each.result().stream()).toList());
    }

    private Future<List<String>> nodesOf(LockNode.LockRequestId claim) {
        return nodes().map(nodes -> nodes.stream()
                .filter(node -> node.claim().equals(claim))
                .map(LockNode::path)
                .toList());
    }

    private Future<Void> removeOnce(Collection<String> nodes) {
        if (nodes.isEmpty()) {
            return Future.succeededFuture();
        }
        return zooKeeperSession
                .multi(nodes.stream().map(node -> Op.delete(node, -1)).toList())
                .<Void>mapEmpty()
                .recover(failure ->
                        ZooKeeperSession.is(failure, Code.NONODE) ? each(nodes) : Future.failedFuture(failure));
    }

    private Future<Void> each(Collection<String> nodes) {
        return Future.all(nodes.stream().map(zooKeeperSession::delete).toList()).mapEmpty();
    }

    private Future<Void> withRetries(Supplier<Future<Void>> removal) {
        return Loop.whileTrue(() -> removal.get().map(false).recover(this::again));
    }

    private static void leftToOthers(Throwable failure) {
        log.info("Locks were not released and are left to other servers: {}", failure.getMessage());
    }

    private Future<Boolean> again(Throwable failure) {
        return isOver
                ? Future.failedFuture(failure)
                : vertx.timer(RETRY_DELAY_MILLIS, TimeUnit.MILLISECONDS).map(true);
    }

    private static List<LockNode> parsed(String shard, List<String> names) {
        return names.stream()
                .flatMap(name -> LockNode.parse(shard, name).stream())
                .toList();
    }
}
