package io.orestes.coordination;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.function.BooleanSupplier;

/** A term that lasts until it is ended, and is current while its leader may act in the group. */
public final class LeaderTerm implements Term {

    private final long fencingToken;
    private final BooleanSupplier isLeaderCurrent;
    private final Promise<Void> ended = Promise.promise();

    public LeaderTerm(long fencingToken, BooleanSupplier isLeaderCurrent) {
        this.fencingToken = fencingToken;
        this.isLeaderCurrent = isLeaderCurrent;
    }

    /** Ends the term; it is not current afterwards. */
    public void end() {
        ended.tryComplete();
    }

    @Override
    public long fencingToken() {
        return fencingToken;
    }

    @Override
    public boolean isCurrent() {
        return !ended.future().isComplete() && isLeaderCurrent.getAsBoolean();
    }

    @Override
    public Future<Void> ended() {
        return ended.future();
    }
}
