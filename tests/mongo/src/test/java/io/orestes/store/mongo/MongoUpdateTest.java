package io.orestes.store.mongo;

import io.orestes.store.ObjectStore;
import io.orestes.store.ObjectUpdateContract;
import io.orestes.support.mongo.Mongod;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The contract, kept on servers of all shapes. */
@EachShape
final class MongoUpdateTest extends ObjectUpdateContract {

    @RegisterExtension
    final MongoFixture server;

    private MongoObjectStore store;

    MongoUpdateTest(Mongod.Shape shape) {
        server = MongoFixture.shared(shape);
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
