package io.orestes.store.mongo;

import io.orestes.store.ObjectQueryContract;
import io.orestes.store.ObjectStore;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The contract on servers of all deployments. */
@EachDeployment
final class MongoQueriesTest extends ObjectQueryContract {

    @RegisterExtension
    final MongoFixture server;

    private MongoObjectStore store;

    MongoQueriesTest(Deployment deployment) {
        server = MongoFixture.shared(deployment);
    }

    @BeforeEach
    void open() {
        store = server.open(clock);
    }

    @Override
    protected ObjectStore store() {
        return store;
    }
}
