package io.orestes.store.mongo;

import io.orestes.store.DropContract;
import io.orestes.store.ObjectStore;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The contract on servers of all deployments. */
@EachDeployment
final class MongoDropTest extends DropContract {

    @RegisterExtension
    final MongoFixture server;

    private MongoObjectStore store;

    MongoDropTest(Deployment deployment) {
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
