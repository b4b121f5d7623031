package io.orestes.app.module;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.orestes.app.config.ServerConfig;
import io.orestes.model.ObjectRef;
import io.orestes.ops.StoreDescription;
import io.orestes.store.ChangeFeed;
import io.orestes.store.ObjectStore;
import io.orestes.store.SharedStore;
import io.orestes.store.embedded.EmbeddedObjectStore;
import io.orestes.store.embedded.database.EmbeddedStoreConfig;
import io.orestes.store.mongo.MongoObjectStore;
import io.orestes.store.mongo.driver.MongoConfig;
import io.orestes.store.mongo.probe.UnusableServerException;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The object store that the configuration selects, opened, with its probe and change feed.
 *
 * @param shared the coordination of the store with other processes that work on it
 * @param isNew whether no server has run on it before; false where that is unknown
 * @param description name and missing capabilities, for operators
 * @param probe a cheap read, for the health of the server
 * @param changes the writes of other programs; null if there are none
 */
public record StorageModule(
        ObjectStore store,
        SharedStore shared,
        boolean isNew,
        StoreDescription description,
        Supplier<Future<?>> probe,
        @Nullable ChangeFeed changes) {

    private static final Logger LOG = LoggerFactory.getLogger(StorageModule.class);

    /** Number of attempts to reach MongoDB at a start, each with the time-out of a request. */
    private static final int ATTEMPTS = 3;

    /** Object that the probe reads; any would do, because only the response matters. */
    private static final ObjectRef PROBED = new ObjectRef("User", "1");

    /**
     * Opens the store. Throws if the data directory cannot be used, and fails if the server at the
     * MongoDB address cannot.
     */
    public static Future<StorageModule> open(Platform platform) {
        ServerConfig config = platform.config();
        MongoConfig mongo = config.mongo();
        return mongo == null
                ? Future.succeededFuture(embedded(platform))
                : inMongo(platform, config.group() == null ? mongo : mongo.shared());
    }

    private static StorageModule embedded(Platform platform) {
        EmbeddedStoreConfig config = platform.config().store();
        boolean isNew = Files.notExists(config.directory().resolve("ORESTES"));
        EmbeddedObjectStore store = EmbeddedObjectStore.open(platform.vertx(), config);
        store.meter(platform.metrics().registry());
        return new StorageModule(
                store,
                SharedStore.UNSHARED,
                isNew,
                new StoreDescription("embedded", List.of()),
                () -> store.indexes(PROBED.bucket()),
                null);
    }

    private static Future<StorageModule> inMongo(Platform platform, MongoConfig mongo) {
        makeDirectory(platform.config().store().directory());
        return opened(platform.vertx(), mongo, ATTEMPTS).map(store -> {
            meter(store, platform.metrics().registry());
            return new StorageModule(
                    store,
                    store,
                    false,
                    new StoreDescription(store.name(), store.missing()),
                    () -> store.find(PROBED),
                    store.changes());
        });
    }

    /** Closes the store. */
    public Future<Void> close() {
        return store.close();
    }

    /**
     * Retries, so that a simultaneous start of both, or a busy disk of MongoDB, needs no second
     * start.
     */
    private static Future<MongoObjectStore> opened(Vertx vertx, MongoConfig mongo, int attempts) {
        return MongoObjectStore.open(vertx, mongo).recover(failure -> {
            if (attempts == 1 || !isTransient(failure)) {
                return Future.failedFuture(failure);
            }
            LOG.warn("{} does not respond yet; another attempt follows", mongo.hostsAndDatabase());
            return vertx.timer(1, TimeUnit.SECONDS).compose(later -> opened(vertx, mongo, attempts - 1));
        });
    }

    private static boolean isTransient(Throwable failure) {
        return failure instanceof UnusableServerException unusable && unusable.isTransient();
    }

    private static void meter(MongoObjectStore store, MeterRegistry registry) {
        FunctionCounter.builder("orestes.store.left.out", store, MongoObjectStore::skippedCount)
                .description(
                        "Documents of other programs that were left out because their _id cannot be that of an object")
                .register(registry);
    }

    /**
     * Creates the directory for data beside objects: filter of stale keys, and imports under way.
     */
    private static void makeDirectory(Path directory) {
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new UncheckedIOException("The data directory cannot be created: " + directory, e);
        }
    }
}
