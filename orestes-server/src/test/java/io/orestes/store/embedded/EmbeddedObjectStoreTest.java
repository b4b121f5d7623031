package io.orestes.store.embedded;

import io.orestes.store.ObjectStore;
import io.orestes.store.ObjectStoreContract;
import io.vertx.core.Vertx;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;

/** {@link ObjectStoreContract} for the embedded store. */
final class EmbeddedObjectStoreTest extends ObjectStoreContract {

    @RegisterExtension
    static final StoreFixture FIXTURE = new StoreFixture();

    private EmbeddedObjectStore store;

    @BeforeEach
    void open() {
        store = FIXTURE.open(clock);
    }

    @Override
    protected ObjectStore store() {
        return store;
    }

    @Override
    protected Vertx vertx() {
        return FIXTURE.vertx();
    }
}
