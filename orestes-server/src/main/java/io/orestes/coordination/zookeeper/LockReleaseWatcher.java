package io.orestes.coordination.zookeeper;

import io.orestes.async.Contexts;
import io.orestes.async.Loop;
import io.orestes.coordination.TransactionResolver;
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

    private final ZooKeeperSession session;
    private final MemberList members;
    private final NodeRemover nodeRemover;
    private final TransactionResolver transactionResolver;
    private final Map<LockNode, Promise<Void>> awaited = new HashMap<>();
    private final Map<LockNode.LockRequestId, Future<Void>> resolving = new HashMap<>();

    LockReleaseWatcher(
            ZooKeeperSession session,
            MemberList members,
            NodeRemover nodeRemover,
            TransactionResolver transactionResolver) {
        this.session = session;
        this.members = members;
        this.nodeRemover = nodeRemover;
        this.transactionResolver = transactionResolver;
    }

    /** Completes when the node does not exist any more. */
    Future<Void> awaitRelease(LockNode node) {
        Promise<Void> known = awaited.get(node);
        return known == null ? watch(node) : known.future();
    }

    /**
     * Resolves those transactions of a member that block requests; to be called as soon as it has
     * departed.
     */
    void onMemberLeft(String owner) {
        List.copyOf(awaited.keySet()).stream()
                .filter(node -> node.claim().owner().equals(owner))
                .forEach(this::resolveAwaited);
    }

    /** Resolves all transactions of departed servers, one after the other. */
    Future<Void> sweep() {
        return nodeRemover.nodes().compose(nodes -> {
            Map<LockNode.LockRequestId, LockNode> unknown = new LinkedHashMap<>();
            nodes.stream()
                    .filter(node -> !members.isKnown(node.claim().owner()))
                    .forEach(node -> unknown.putIfAbsent(node.claim(), node));
            Iterator<LockNode> abandoned = unknown.values().iterator();
            return Loop.whileTrue(() -> abandoned.hasNext()
                    ? resolveIfAbandoned(abandoned.next()).map(true)
                    : Future.succeededFuture(false));
        });
    }

    private Future<Void> watch(LockNode node) {
        Promise<Void> released = Promise.promise();
        awaited.put(node, released);
        released.future().onComplete(done -> awaited.remove(node, released));
        session.read(node.path(), released::tryComplete)
                .onSuccess(found -> found.ifPresentOrElse(there -> {}, released::tryComplete))
                .onFailure(released::tryFail);
        if (!members.isKnown(node.claim().owner())) {
            resolveAwaited(node);
        }
        return released.future();
    }

    private void resolveAwaited(LockNode node) {
        resolveIfAbandoned(node).onFailure(failure -> {
            Promise<Void> released = awaited.get(node);
            if (released != null) {
                released.tryFail(failure);
            }
        });
    }

    /**
     * Resolves a transaction if its owner has departed. The list may lack a new member. A member
     * node that is read after one of its locks exists or has existed.
     */
    private Future<Void> resolveIfAbandoned(LockNode node) {
        return session.read(ZooKeeperPaths.member(node.claim().owner()))
                .compose(owner -> owner.isPresent() ? Future.succeededFuture() : resolve(node));
    }

    private Future<Void> resolve(LockNode node) {
        Future<Void> known = resolving.get(node.claim());
        if (known != null) {
            return known;
        }
        Future<Void> resolved = session.read(node.path())
                .compose(found -> found.isPresent() ? resolve(node, found.get().text()) : Future.succeededFuture());
        resolving.put(node.claim(), resolved);
        return resolved.onComplete(done -> resolving.remove(node.claim(), resolved));
    }

    private Future<Void> resolve(LockNode node, String transaction) {
        Future<Void> resolved = Future.succeededFuture()
                .compose(owner -> transactionResolver.resolve(transaction))
                .timeout(session.times().lockWait().toMillis(), TimeUnit.MILLISECONDS);
        return Contexts.on(session.context(), resolved).compose(known -> nodeRemover.remove(node.claim()));
    }
}
