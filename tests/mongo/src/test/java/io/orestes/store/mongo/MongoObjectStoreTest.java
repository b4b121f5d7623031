package io.orestes.store.mongo;

import io.orestes.store.ObjectStore;
import io.orestes.store.ObjectStoreContract;
import io.orestes.support.mongo.Mongod;
import io.vertx.core.Vertx;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The contract, kept on servers of all shapes. */
@EachShape
final class MongoObjectStoreTest extends ObjectStoreContract {

    @RegisterExtension
    final MongoFixture server;

    private MongoObjectStore store;

    MongoObjectStoreTest(Mongod.Shape shape) {
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

    @Override
    protected Vertx vertx() {
        return server.vertx();
    }
}
