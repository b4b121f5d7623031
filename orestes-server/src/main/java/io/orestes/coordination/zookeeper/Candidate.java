package io.orestes.coordination.zookeeper;

import io.orestes.coordination.Lease;
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
 * One server's wish to lead one task. The task's node names the leader, and its version numbers the terms. It may be taken
 * over when it names nobody, or somebody who is no member any more and whose lease is therefore over; nobody has to take
 * anything away from a leader that is gone. Called on the coordinator's context, some times in each lease.
 */
final class Candidate {

    private static final byte[] NOBODY = {};

    private final String path;
    private final Lease lease;
    private final Consumer<Term> begin;
    private final Promise<Void> withdrawn = Promise.promise();
    private @Nullable LeaseTerm term;
    private boolean isWithdrawn;
    private boolean isAsking;

    Candidate(String path, Lease lease, Consumer<Term> begin) {
        this.path = path;
        this.lease = lease;
        this.begin = begin;
    }

    /** Ends the term if there is one; for when the lease has run out. */
    void endTerm() {
        if (term != null) {
            term.end();
            term = null;
        }
    }

    /** Ends the term and does not begin another one; others get to know by {@link #ask}. */
    Future<Void> withdraw() {
        isWithdrawn = true;
        endTerm();
        return withdrawn.future();
    }

    /** Ends the term, as the membership is over; whom others do not see any more need not tell them of a withdrawal. */
    void leave() {
        endTerm();
        if (isWithdrawn) {
            withdrawn.tryComplete();
        }
    }

    /** Takes the lead if it is to be had, or gives it up after a withdrawal. */
    void ask(Presence presence) {
        if (!isAsking && (term == null || isWithdrawn)) {
            isAsking = true;
            presence.session()
                    .read(path)
                    .compose(task -> task.isPresent() ? consider(presence, task.get()) : make(presence))
                    .onComplete(done -> isAsking = false);
        }
    }

    private Future<Void> make(Presence presence) {
        return presence.session()
                .multi(List.of(Op.create(path, NOBODY, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT)))
                .mapEmpty();
    }

    private Future<Void> consider(Presence presence, Node task) {
        boolean isOurs = task.text().equals(presence.self().id());
        if (isWithdrawn) {
            return (isOurs ? put(presence, task, NOBODY) : Future.<Void>succeededFuture())
                    .onSuccess(done -> withdrawn.tryComplete());
        }
        return isOurs || task.text().isEmpty() ? claim(presence, task) : claimIfGone(presence, task);
    }

    private Future<Void> claimIfGone(Presence presence, Node task) {
        return presence.isMember(task.text())
                .compose(isMember -> isMember ? Future.succeededFuture() : claim(presence, task));
    }

    private Future<Void> claim(Presence presence, Node task) {
        return put(presence, task, presence.self().id().getBytes(StandardCharsets.UTF_8))
                .onSuccess(claimed -> begin(presence, task.version() + 1));
    }

    private Future<Void> put(Presence presence, Node task, byte[] leader) {
        return presence.session()
                .multi(List.of(presence.checkSelf(), Op.setData(path, leader, task.version())))
                .mapEmpty();
    }

    private void begin(Presence presence, int version) {
        if (presence.isCurrent() && !isWithdrawn) {
            LeaseTerm begun = new LeaseTerm(version, lease);
            term = begun;
            begin.accept(begun);
        }
    }
}
