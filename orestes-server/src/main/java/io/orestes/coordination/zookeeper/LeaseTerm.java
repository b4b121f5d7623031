package io.orestes.coordination.zookeeper;

import io.orestes.coordination.Lease;
import io.orestes.coordination.Term;
import io.vertx.core.Future;
import io.vertx.core.Promise;

/** A term that lasts at most as long as the lease. */
final class LeaseTerm implements Term {

    private final long fencing;
    private final Lease lease;
    private final Promise<Void> ended = Promise.promise();

    LeaseTerm(long fencing, Lease lease) {
        this.fencing = fencing;
        this.lease = lease;
    }

    void end() {
        ended.tryComplete();
    }

    @Override
    public long fencing() {
        return fencing;
    }

    @Override
    public boolean isCurrent() {
        return !ended.future().isComplete() && lease.isValid();
    }

    @Override
    public Future<Void> ended() {
        return ended.future();
    }
}
