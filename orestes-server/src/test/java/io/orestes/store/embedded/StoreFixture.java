package io.orestes.store.embedded;

import io.orestes.store.Await;
import io.orestes.store.embedded.database.EmbeddedStoreConfig;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Opens stores in a directory of the test's own; closes all of them and removes it when the test
 * has ended.
 */
public final class StoreFixture implements BeforeAllCallback, BeforeEachCallback, AfterEachCallback, AfterAllCallback {

    private final List<EmbeddedObjectStore> opened = new ArrayList<>();
    private @Nullable Vertx vertx;
    private @Nullable Path parent;

    public Vertx vertx() {
        return Objects.requireNonNull(vertx);
    }

    /** Returns a directory that does not exist yet. */
    public Path directory() {
        return Objects.requireNonNull(parent).resolve("data");
    }

    /**
     * Opens a store whose queries may take a minute, which no query needs on a busy machine either.
     */
    public EmbeddedObjectStore open(InstantSource clock) {
        return open(EmbeddedStoreConfig.at(directory()).withQueryBudget(Duration.ofMinutes(1)), clock);
    }

    EmbeddedObjectStore open(Duration queryBudget) {
        return open(EmbeddedStoreConfig.at(directory()).withQueryBudget(queryBudget), InstantSource.system());
    }

    private EmbeddedObjectStore open(EmbeddedStoreConfig config, InstantSource clock) {
        EmbeddedObjectStore store = EmbeddedObjectStore.open(vertx(), config, clock);
        opened.add(store);
        return store;
    }

    public EmbeddedObjectStore open() {
        return open(InstantSource.system());
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        vertx = Vertx.vertx();
    }

    @Override
    public void beforeEach(ExtensionContext context) throws IOException {
        parent = Files.createTempDirectory("orestes-store");
    }

    @Override
    public void afterEach(ExtensionContext context) throws IOException {
        opened.forEach(store -> Await.await(store.close()));
        opened.clear();
        try (Stream<Path> files = Files.walk(directory().getParent())) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        }
    }

    @Override
    public void afterAll(ExtensionContext context) {
        Await.await(vertx().close());
    }
}
