package io.orestes.coordination.zookeeper;

import io.orestes.coordination.LeaderTerm;
import io.orestes.coordination.MembershipLease;
import io.orestes.coordination.Term;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A candidate for the leadership of one task, which competes for that task's ZooKeeper node. The
 * task's node names the leader, and its version numbers the terms. A candidate may take the node
 * over when it names nobody, or a former member, whose lease has ended. So no one has to depose a
 * failed leader. Called on the coordinator's context, several times in each lease.
 */
final class ZooKeeperCandidate {

    private static final String NOBODY = "";

    private final String path;
    private final MembershipLease lease;
    private final Consumer<Term> begin;
    private final Promise<Void> withdrawn = Promise.promise();
    private @Nullable LeaderTerm term;
    private boolean isWithdrawn;
    private boolean isAsking;

    ZooKeeperCandidate(String task, MembershipLease lease, Consumer<Term> begin) {
        this.path = ZooKeeperPaths.task(task);
        this.lease = lease;
        this.begin = begin;
    }

    /** Ends the term if there is one; to be called when the lease has run out. */
    void endTerm() {
        if (term != null) {
            term.end();
            term = null;
        }
    }

    /**
     * Ends the term and does not begin another one; {@link #tryAcquire} publishes the withdrawal.
     */
    Future<Void> withdraw() {
        isWithdrawn = true;
        endTerm();
        return withdrawn.future();
    }

    /**
     * Ends the term together with the membership. No withdrawal is published, because the member
     * vanishes anyway.
     */
    void endMembership() {
        endTerm();
        if (isWithdrawn) {
            withdrawn.tryComplete();
        }
    }

    /** Takes the lead if it is available, or publishes a withdrawal. */
    void tryAcquire(ZooKeeperMembership membership) {
        if (!isAsking && (term == null || isWithdrawn)) {
            isAsking = true;
            membership
                    .session()
                    .read(path)
                    .compose(task -> task.isPresent() ? consider(membership, task.get()) : createTask(membership))
                    .onComplete(done -> isAsking = false);
        }
    }

    private Future<Void> createTask(ZooKeeperMembership membership) {
        return membership
                .session()
                .multi(builder -> List.of(builder.create().forPath(path, ZNode.data(NOBODY))))
                .mapEmpty();
    }

    private Future<Void> consider(ZooKeeperMembership membership, ZNode task) {
        boolean isOurs = task.text().equals(membership.self().id());
        if (isWithdrawn) {
            return (isOurs ? writeLeader(membership, task, NOBODY) : Future.<Void>succeededFuture())
                    .onSuccess(done -> withdrawn.tryComplete());
        }
        return isOurs || task.text().equals(NOBODY) ? claim(membership, task) : claimIfDeparted(membership, task);
    }

    private Future<Void> claimIfDeparted(ZooKeeperMembership membership, ZNode task) {
        return membership
                .session()
                .read(ZooKeeperPaths.member(task.text()))
                .compose(leader -> leader.isPresent() ? Future.succeededFuture() : claim(membership, task));
    }

    private Future<Void> claim(ZooKeeperMembership membership, ZNode task) {
        return writeLeader(membership, task, membership.self().id())
                .onSuccess(claimed -> begin(membership, task.version() + 1));
    }

    private Future<Void> writeLeader(ZooKeeperMembership membership, ZNode task, String leader) {
        return membership
                .multi(builder ->
                        List.of(builder.setData().withVersion(task.version()).forPath(path, ZNode.data(leader))))
                .mapEmpty();
    }

    private void begin(ZooKeeperMembership membership, int version) {
        if (membership.isCurrent() && !isWithdrawn) {
            LeaderTerm begun = new LeaderTerm(version, lease::isValid);
            term = begun;
            begin.accept(begun);
        }
    }
}
