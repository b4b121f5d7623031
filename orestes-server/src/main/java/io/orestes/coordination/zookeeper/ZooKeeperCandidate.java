package io.orestes.coordination.zookeeper;

import io.orestes.coordination.MembershipLease;
import io.orestes.coordination.Term;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooDefs.Ids;
import org.jspecify.annotations.Nullable;

/**
 * A candidate for the leadership of one task, which competes for that task's ZooKeeper node. The
 * task's node names the leader, and its version numbers the terms. A candidate may take the node
 * over when it names nobody, or a former member, whose lease has ended. So no one has to depose a
 * failed leader. Called on the coordinator's context, several times in each lease.
 */
final class ZooKeeperCandidate {

    private static final byte[] NOBODY = {};

    private final String path;
    private final MembershipLease membershipLease;
    private final Consumer<Term> begin;
    private final Promise<Void> withdrawn = Promise.promise();
    private @Nullable ZooKeeperTerm term;
    private boolean isWithdrawn;
    private boolean isAsking;

    ZooKeeperCandidate(String path, MembershipLease membershipLease, Consumer<Term> begin) {
        this.path = path;
        this.membershipLease = membershipLease;
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
    void tryAcquire(ZooKeeperMembership zooKeeperMembership) {
        if (!isAsking && (term == null || isWithdrawn)) {
            isAsking = true;
            zooKeeperMembership
                    .session()
                    .read(path)
                    .compose(task -> task.isPresent()
                            ? consider(zooKeeperMembership, task.get())
                            : createTask(zooKeeperMembership))
                    .onComplete(done -> isAsking = false);
        }
    }

    private Future<Void> createTask(ZooKeeperMembership zooKeeperMembership) {
        return zooKeeperMembership
                .session()
                .multi(List.of(Op.create(path, NOBODY, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT)))
                .mapEmpty();
    }

    private Future<Void> consider(ZooKeeperMembership zooKeeperMembership, ZNode task) {
        boolean isOurs = task.text().equals(zooKeeperMembership.self().id());
        if (isWithdrawn) {
            return (isOurs ? writeLeader(zooKeeperMembership, task, NOBODY) : Future.<Void>succeededFuture())
                    .onSuccess(done -> withdrawn.tryComplete());
        }
        return isOurs || task.text().isEmpty()
                ? claim(zooKeeperMembership, task)
                : claimIfGone(zooKeeperMembership, task);
    }

    private Future<Void> claimIfGone(ZooKeeperMembership zooKeeperMembership, ZNode task) {
        return zooKeeperMembership
                .isMember(task.text())
                .compose(isMember -> isMember ? Future.succeededFuture() : claim(zooKeeperMembership, task));
    }

    private Future<Void> claim(ZooKeeperMembership zooKeeperMembership, ZNode task) {
        return writeLeader(
                        zooKeeperMembership,
                        task,
                        zooKeeperMembership.self().id().getBytes(StandardCharsets.UTF_8))
                .onSuccess(claimed -> begin(zooKeeperMembership, task.version() + 1));
    }

    private Future<Void> writeLeader(ZooKeeperMembership zooKeeperMembership, ZNode task, byte[] leader) {
        return zooKeeperMembership
                .session()
                .multi(List.of(zooKeeperMembership.checkSelf(), Op.setData(path, leader, task.version())))
                .mapEmpty();
    }

    private void begin(ZooKeeperMembership zooKeeperMembership, int version) {
        if (zooKeeperMembership.isCurrent() && !isWithdrawn) {
            ZooKeeperTerm begun = new ZooKeeperTerm(version, membershipLease);
            term = begun;
            begin.accept(begun);
        }
    }
}
