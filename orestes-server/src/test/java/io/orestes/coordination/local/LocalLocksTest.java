package io.orestes.coordination.local;

import io.orestes.coordination.Coordinator;
import io.orestes.coordination.LocksContract;
import io.orestes.coordination.Resolver;

final class LocalLocksTest extends LocksContract {

    private final LocalGroup group = new LocalGroup(vertx, TIMES);

    @Override
    protected Coordinator newServer(Resolver resolver) {
        return group.server(resolver);
    }

    @Override
    protected int places() {
        return group.places();
    }
}
