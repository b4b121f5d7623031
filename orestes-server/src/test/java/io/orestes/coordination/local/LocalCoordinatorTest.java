package io.orestes.coordination.local;

import io.orestes.coordination.Coordinator;
import io.orestes.coordination.CoordinatorContract;
import io.orestes.coordination.TransactionResolver;

final class LocalCoordinatorTest extends CoordinatorContract {

    private final LocalGroup group = new LocalGroup(vertx, TIMES);

    @Override
    protected Coordinator newServer(TransactionResolver transactionResolver) {
        return group.server(transactionResolver);
    }
}
