package io.orestes.coordination.zookeeper;

import io.orestes.coordination.Coordinator;
import io.orestes.coordination.CoordinatorContract;
import io.orestes.coordination.TransactionResolver;
import io.orestes.support.zookeeper.Ensemble;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;

final class EnsembleCoordinatorTest extends CoordinatorContract {

    @AutoClose
    static final Ensemble ZOOKEEPER = Ensembles.start();

    private final EnsembleNamespace meeting = new EnsembleNamespace(ZOOKEEPER.address(), TIMES);

    @AfterEach
    void stopObserving() {
        meeting.close();
    }

    @Override
    protected Coordinator newServer(TransactionResolver transactionResolver) {
        return meeting.server(vertx, transactionResolver);
    }
}
