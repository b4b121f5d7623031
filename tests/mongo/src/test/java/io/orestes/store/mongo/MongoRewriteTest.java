package io.orestes.store.mongo;

import io.orestes.store.ObjectStore;
import io.orestes.store.RewriteContract;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The contract, kept on servers of all shapes. */
@EachDeployment
final class MongoRewriteTest extends RewriteContract {

    @RegisterExtension
    final MongoFixture server;

    private MongoObjectStore store;

    MongoRewriteTest(Deployment deployment) {
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
