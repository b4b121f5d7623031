package io.orestes.store.embedded;

import io.orestes.store.DropContract;
import io.orestes.store.ObjectStore;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;

/** {@link DropContract} for the embedded store. */
final class EmbeddedDropTest extends DropContract {

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
