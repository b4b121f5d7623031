package io.orestes.store.mongo;

import io.orestes.store.ObjectStore;
import io.orestes.store.ObjectUpdateContract;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The contract on servers of all deployments. */
@EachDeployment
final class MongoUpdateTest extends ObjectUpdateContract {

    @RegisterExtension
    final MongoFixture server;

    private MongoObjectStore store;

    MongoUpdateTest(Deployment deployment) {
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
