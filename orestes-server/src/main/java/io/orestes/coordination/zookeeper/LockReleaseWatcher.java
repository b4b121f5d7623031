package io.orestes.coordination.zookeeper;

import io.orestes.async.Contexts;
import io.orestes.async.Loop;
import io.orestes.coordination.CoordinationConfig;
import io.orestes.coordination.TransactionResolver;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A watcher that waits for the release of locks and releases those of failed members after
 * resolving their transactions. All requests that wait for one lock share one watch. Called on the
 * coordinator's context.
 */
final class LockReleaseWatcher {

    private final Context home;
    private final ZooKeeperSession zooKeeperSession;
    private final ZooKeeperPaths zooKeeperPaths;
    private final CoordinationConfig times;
    private final MemberList members;
    private final NodeRemover nodeRemover;
    private final TransactionResolver transactionResolver;
    private final Map<LockNode, Promise<Void>> awaited = new HashMap<>();
    private final Map<LockNode.LockRequestId, Future<Void>> settling = new HashMap<>();

    LockReleaseWatcher(
            Context home,
            ZooKeeperSession zooKeeperSession,
            ZooKeeperConfig config,
            MemberList members,
            NodeRemover nodeRemover,
            TransactionResolver transactionResolver) {
        this.home = home;
        this.zooKeeperSession = zooKeeperSession;
        this.zooKeeperPaths = new ZooKeeperPaths(config.root());
        this.times = config.times();
        this.members = members;
        this.nodeRemover = nodeRemover;
        this.transactionResolver = transactionResolver;
    }

    /** Completes when the node does not exist any more. */
    Future<Void> awaitRelease(LockNode node) {
        Promise<Void> known = awaited.get(node);
        return known == null ? await(node) : known.future();
    }

    /**
     * Resolves those transactions of a member that block requests; to be called as soon as it has
     * departed.
     */
    void onMemberLeft(String owner) {
        List.copyOf(awaited.keySet()).stream()
                .filter(node -> node.claim().owner().equals(owner))
                .forEach(this::settleAwaited);
    }

    /** Resolves all transactions of departed servers, one after the other. */
    Future<Void> sweep() {
        return nodeRemover.nodes().compose(nodes -> {
            Map<LockNode.LockRequestId, LockNode> unknown = new LinkedHashMap<>();
            nodes.stream()
                    .filter(node -> !members.isKnown(node.claim().owner()))
                    .forEach(node -> unknown.putIfAbsent(node.claim(), node));
            return settleAbandoned(unknown.values().iterator());
        });
    }

    private Future<Void> await(LockNode node) {
        Promise<Void> gone = Promise.promise();
        awaited.put(node, gone);
        gone.future().onComplete(done -> awaited.remove(node, gone));
        zooKeeperSession
                .read(node.path(), gone::tryComplete)
                .onSuccess(found -> found.ifPresentOrElse(there -> {}, gone::tryComplete))
                .onFailure(gone::tryFail);
        if (!members.isKnown(node.claim().owner())) {
            settleAwaited(node);
        }
        return gone.future();
    }

    private void settleAwaited(LockNode node) {
        settleIfAbandoned(node).onFailure(failure -> {
            Promise<Void> gone = awaited.get(node);
            if (gone != null) {
                gone.tryFail(failure);
            }
        });
    }

    private Future<Void> settleAbandoned(Iterator<LockNode> nodes) {
        return Loop.whileTrue(() -> nodes.hasNext()
                ? settleIfAbandoned(nodes.next()).map(settled -> nodes.hasNext())
                : Future.succeededFuture(false));
    }

    /**
     * Resolves a transaction if its owner has departed. The list may lack a new member. A member
     * node that is read after one of its locks exists or has existed.
     */
    private Future<Void> settleIfAbandoned(LockNode node) {
        return zooKeeperSession
                .exists(zooKeeperPaths.member(node.claim().owner()))
                .compose(owner -> owner.isPresent() ? Future.succeededFuture() : resolve(node));
    }

    private Future<Void> resolve(LockNode node) {
        Future<Void> known = settling.get(node.claim());
        if (known != null) {
            return known;
        }
        Future<Void> settled = zooKeeperSession
                .read(node.path())
                .compose(found -> found.isPresent() ? resolve(node, found.get().text()) : Future.succeededFuture());
        settling.put(node.claim(), settled);
        return settled.onComplete(done -> settling.remove(node.claim(), settled));
    }

    private Future<Void> resolve(LockNode node, String transaction) {
        Future<Void> resolved = Future.succeededFuture()
                .compose(owner -> transactionResolver.resolve(transaction))
                .timeout(times.lockWait().toMillis(), TimeUnit.MILLISECONDS);
        return Contexts.on(home, resolved).compose(known -> nodeRemover.remove(node.claim()));
    }
}
