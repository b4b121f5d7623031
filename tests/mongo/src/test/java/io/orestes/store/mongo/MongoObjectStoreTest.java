package io.orestes.store.mongo;

import io.orestes.store.ObjectStore;
import io.orestes.store.ObjectStoreContract;
import io.vertx.core.Vertx;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The contract on servers of all deployments. */
@EachDeployment
final class MongoObjectStoreTest extends ObjectStoreContract {

    @RegisterExtension
    final MongoFixture server;

    private MongoObjectStore store;

    MongoObjectStoreTest(Deployment deployment) {
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

    @Override
    protected Vertx vertx() {
        return server.vertx();
    }
}
