package io.orestes.coordination.zookeeper;

import io.orestes.coordination.CoordinationConfig;
import io.orestes.coordination.Coordinator;
import io.orestes.coordination.LocksContract;
import io.orestes.coordination.TransactionResolver;
import io.orestes.support.zookeeper.Ensemble;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;

final class EnsembleLocksTest extends LocksContract {

    @AutoClose
    static final Ensemble ZOOKEEPER = Ensembles.start();

    private Meeting meeting = new Meeting(ZOOKEEPER.address(), TIMES);

    @AfterEach
    void stopObserving() {
        meeting.close();
    }

    @Override
    protected Coordinator newServer(TransactionResolver transactionResolver) {
        return meeting.server(vertx, transactionResolver);
    }

    @Override
    protected void regroup(CoordinationConfig times) {
        meeting.close();
        meeting = new Meeting(ZOOKEEPER.address(), times);
    }

    @Override
    protected int places() {
        return meeting.places();
    }
}
