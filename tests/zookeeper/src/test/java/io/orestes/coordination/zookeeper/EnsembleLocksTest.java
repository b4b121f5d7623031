package io.orestes.coordination.zookeeper;

import io.orestes.coordination.CoordinationTimeouts;
import io.orestes.coordination.Coordinator;
import io.orestes.coordination.LocksContract;
import io.orestes.coordination.TransactionResolver;
import io.orestes.support.zookeeper.Ensemble;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;

final class EnsembleLocksTest extends LocksContract {

    @AutoClose
    static final Ensemble ZOOKEEPER = Ensembles.start();

    private EnsembleNamespace meeting = new EnsembleNamespace(ZOOKEEPER.address(), TIMES);

    @AfterEach
    void stopObserving() {
        meeting.close();
    }

    @Override
    protected Coordinator newServer(TransactionResolver transactionResolver) {
        return meeting.server(vertx, transactionResolver);
    }

    @Override
    protected void regroup(CoordinationTimeouts times) {
        meeting.close();
        meeting = new EnsembleNamespace(ZOOKEEPER.address(), times);
    }

    @Override
    protected int queuedKeyCount() {
        return meeting.places();
    }
}
