package io.orestes.store.mongo;

import io.orestes.store.ObjectStore;
import io.orestes.store.UniqueIndexContract;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The contract on servers of all deployments. */
@EachDeployment
final class MongoUniqueIndexTest extends UniqueIndexContract {

    @RegisterExtension
    final MongoFixture server;

    private MongoObjectStore store;

    MongoUniqueIndexTest(Deployment deployment) {
        server = MongoFixture.shared(deployment);
    }

    @BeforeEach
    void open() {
        store = server.open();
    }

    @Override
    protected ObjectStore store() {
        return store;
    }
}
