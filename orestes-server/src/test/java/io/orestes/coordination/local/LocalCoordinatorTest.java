package io.orestes.coordination.local;

import io.orestes.coordination.Coordinator;
import io.orestes.coordination.CoordinatorContract;
import io.orestes.coordination.Resolver;

final class LocalCoordinatorTest extends CoordinatorContract {

    private final LocalGroup group = new LocalGroup(vertx, TIMES);

    @Override
    protected Coordinator newServer(Resolver resolver) {
        return group.server(resolver);
    }
}
