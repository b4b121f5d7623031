package io.orestes.store.mongo;

import io.orestes.store.ObjectStore;
import io.orestes.store.RewriteContract;
import io.orestes.support.mongo.Mongod;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The contract, kept on servers of all shapes. */
@EachShape
final class MongoRewriteTest extends RewriteContract {

    @RegisterExtension
    final MongoFixture server;

    private MongoObjectStore store;

    MongoRewriteTest(Mongod.Shape shape) {
        server = MongoFixture.shared(shape);
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
