package io.orestes.coordination.local;

import io.orestes.coordination.Term;
import io.vertx.core.Future;
import io.vertx.core.Promise;

/** A leader's term that lasts until the leader leaves the group or withdraws. */
final class LocalTerm implements Term {

    private final LocalCandidate leader;
    private final LocalMembership localMembership;
    private final long fencing;
    private final Promise<Void> ended = Promise.promise();

    LocalTerm(LocalCandidate leader, LocalMembership localMembership, long fencing) {
        this.leader = leader;
        this.localMembership = localMembership;
        this.fencing = fencing;
    }

    boolean isOf(LocalCandidate candidate) {
        return leader == candidate;
    }

    /** Returns the identity of the leader. */
    String leader() {
        return localMembership.member().id();
    }

    /** Ends the term; it is not current afterwards. */
    void end() {
        ended.tryComplete();
    }

    @Override
    public long fencingToken() {
        return fencing;
    }

    @Override
    public boolean isCurrent() {
        return !localMembership.isEnded() && !ended.future().isComplete();
    }

    @Override
    public Future<Void> ended() {
        return ended.future();
    }
}
