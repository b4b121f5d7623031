package io.orestes.store.embedded;

import io.orestes.store.ObjectStore;
import io.orestes.store.ObjectUpdateContract;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;

/** {@link ObjectUpdateContract} for the embedded store. */
final class EmbeddedUpdateTest extends ObjectUpdateContract {

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
}
