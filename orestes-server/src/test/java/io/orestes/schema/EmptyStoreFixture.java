package io.orestes.schema;

import io.orestes.store.Await;
import io.orestes.store.ObjectStore;
import io.orestes.store.embedded.EmbeddedObjectStore;
import io.orestes.store.embedded.database.EmbeddedStoreConfig;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Provides every test with an empty store of its own. */
public abstract class EmptyStoreFixture {

    protected static Vertx vertx;

    protected ObjectStore store;

    @BeforeAll
    static void startVertx() {
        vertx = Vertx.vertx();
    }

    @AfterAll
    static void stopVertx() {
        Await.await(vertx.close());
    }

    @BeforeEach
    void openStore(@TempDir Path directory) {
        store = EmbeddedObjectStore.open(vertx, EmbeddedStoreConfig.at(directory));
    }

    @AfterEach
    void closeStore() {
        Await.await(store.close());
    }
}
