package io.orestes.coordination.zookeeper;

import io.orestes.coordination.Coordinator;
import io.orestes.coordination.LocksContract;
import io.orestes.coordination.Resolver;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.RegisterExtension;

final class EnsembleLocksTest extends LocksContract {

    @RegisterExtension
    static final Ensemble ZOOKEEPER = new Ensemble();

    private final Meeting meeting = new Meeting(ZOOKEEPER.address(), TIMES);

    @AfterEach
    void stopObserving() {
        meeting.close();
    }

    @Override
    protected Coordinator newServer(Resolver resolver) {
        return meeting.server(vertx, resolver);
    }

    @Override
    protected int places() {
        return meeting.places();
    }
}
