package io.orestes.coordination.zookeeper;

import io.orestes.coordination.Coordinator;
import io.orestes.coordination.CoordinatorContract;
import io.orestes.coordination.TransactionResolver;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.RegisterExtension;

final class ZooKeeperCoordinatorTest extends CoordinatorContract {

    @RegisterExtension
    static final EmbeddedZooKeeper ZOOKEEPER = new EmbeddedZooKeeper();

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
