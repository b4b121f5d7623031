package io.orestes.coordination.zookeeper;

import io.orestes.coordination.MembershipLease;
import io.orestes.coordination.Term;
import io.vertx.core.Future;
import io.vertx.core.Promise;

/** A leader's term that ends with the membership lease at the latest. */
final class ZooKeeperTerm implements Term {

    private final long fencing;
    private final MembershipLease membershipLease;
    private final Promise<Void> ended = Promise.promise();

    ZooKeeperTerm(long fencing, MembershipLease membershipLease) {
        this.fencing = fencing;
        this.membershipLease = membershipLease;
    }

    void end() {
        ended.tryComplete();
    }

    @Override
    public long fencingToken() {
        return fencing;
    }

    @Override
    public boolean isCurrent() {
        return !ended.future().isComplete() && membershipLease.isValid();
    }

    @Override
    public Future<Void> ended() {
        return ended.future();
    }
}
