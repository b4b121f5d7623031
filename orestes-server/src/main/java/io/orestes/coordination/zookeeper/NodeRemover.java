package io.orestes.coordination.zookeeper;

import io.orestes.async.Loop;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.zookeeper.KeeperException.Code;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A remover of nodes of released locks and of evicted members. It retries across lost connections
 * while the session lasts. Other members remove the nodes that are left when the session ends.
 * Called on the coordinator's context.
 */
final class NodeRemover {

    private static final Logger log = LoggerFactory.getLogger(NodeRemover.class);

    private static final long RETRY_DELAY_MILLIS = 200;

    private final ZooKeeperSession session;

    NodeRemover(ZooKeeperSession session) {
        this.session = session;
    }

    /** Deletes nodes in one step if all exist, and otherwise each that exists. */
    Future<Void> remove(Collection<String> nodes) {
        return withRetries(() -> removeOnce(nodes));
    }

    /** Deletes all nodes of a lock request, in all shards. */
    Future<Void> remove(LockNode.LockRequestId claim) {
        return withRetries(() -> nodesOf(claim).compose(this::removeOnce));
    }

    /** Deletes nodes in the background; does nothing after the end of the session. */
    void removeLater(Collection<LockNode> nodes) {
        if (!session.isClosed()) {
            remove(pathsOf(nodes)).onFailure(NodeRemover::logLeftNodes);
        }
    }

    /** Deletes all nodes of a lock request in the background. */
    void removeLater(LockNode.LockRequestId claim) {
        if (!session.isClosed()) {
            remove(claim).onFailure(NodeRemover::logLeftNodes);
        }
    }

    /** Returns all nodes of acquired and requested locks. */
    Future<List<LockNode>> nodes() {
        return nodesBelow(ZooKeeperPaths.shards());
    }

    /** Returns the nodes below some shards. All reads are sent together. */
    Future<List<LockNode>> nodesBelow(Collection<String> shards) {
        List<Future<List<LockNode>>> below = shards.stream()
                .map(shard -> session.children(shard).map(names -> parsed(shard, names)))
                .toList();
        return Future.all(below)
                .map(all ->
                        below.stream().flatMap(each -> each.result().stream()).toList());
    }

    private Future<List<String>> nodesOf(LockNode.LockRequestId claim) {
        return nodes().map(nodes -> pathsOf(
                nodes.stream().filter(node -> node.claim().equals(claim)).toList()));
    }

    private Future<Void> removeOnce(Collection<String> nodes) {
        if (nodes.isEmpty()) {
            return Future.succeededFuture();
        }
        return session.multi(
                        builder -> nodes.stream().map(builder.delete()::forPath).toList())
                .<Void>mapEmpty()
                .recover(failure ->
                        ZooKeeperSession.is(failure, Code.NONODE) ? removeEach(nodes) : Future.failedFuture(failure));
    }

    private Future<Void> removeEach(Collection<String> nodes) {
        return Future.all(nodes.stream().map(session::delete).toList()).mapEmpty();
    }

    private Future<Void> withRetries(Supplier<Future<Void>> removal) {
        return Loop.whileTrue(() -> session.isConnected() || session.isClosed()
                ? removal.get().map(false).recover(this::awaitRetry)
                : awaitRetry());
    }

    private Future<Boolean> awaitRetry(Throwable failure) {
        return session.isClosed() ? Future.failedFuture(failure) : awaitRetry();
    }

    private Future<Boolean> awaitRetry() {
        return session.context()
                .owner()
                .timer(RETRY_DELAY_MILLIS, TimeUnit.MILLISECONDS)
                .map(true);
    }

    private static void logLeftNodes(Throwable failure) {
        log.info("Locks were not released and are left to other servers: {}", failure.getMessage());
    }

    private static List<String> pathsOf(Collection<LockNode> nodes) {
        return nodes.stream().map(LockNode::path).toList();
    }

    private static List<LockNode> parsed(String shard, List<String> names) {
        return names.stream()
                .flatMap(name -> LockNode.parse(shard, name).stream())
                .toList();
    }
}
