package io.orestes.store.embedded;

import io.orestes.store.BatchContract;
import io.orestes.store.ObjectStore;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;

/** {@link BatchContract} for the embedded store. */
final class EmbeddedBatchTest extends BatchContract {

    @RegisterExtension
    static final StoreFixture FIXTURE = new StoreFixture();

    private EmbeddedObjectStore store;

    @BeforeEach
    void open() {
        store = FIXTURE.open();
    }

    @Override
    protected ObjectStore store() {
        return store;
    }
}
