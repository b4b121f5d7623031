package io.orestes.app;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.orestes.model.ObjectRef;
import io.orestes.ops.StoreDescription;
import io.orestes.store.ChangeFeed;
import io.orestes.store.ObjectStore;
import io.orestes.store.SharedStore;
import io.orestes.store.embedded.EmbeddedObjectStore;
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
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The object store that the configuration selects, opened, with its probes, metrics and change
 * feed.
 *
 * @param shared the same store, if several processes can work on it
 * @param isNew whether no server has run on it before; false where that is unknown
 * @param description name and missing capabilities, for operators
 * @param probe a cheap read, for the health of the server
 * @param meters registers its metrics
 * @param changes the writes of other programs; empty if there are none
 */
record Storage(
        ObjectStore store,
        Optional<SharedStore> shared,
        boolean isNew,
        StoreDescription description,
        Supplier<Future<?>> probe,
        Consumer<MeterRegistry> meters,
        Optional<ChangeFeed> changes) {

    private static final Logger LOG = LoggerFactory.getLogger(Storage.class);

    /** Number of attempts to reach MongoDB at a start, each with the time-out of a request. */
    private static final int ATTEMPTS = 3;

    /** Object that the probe reads; any would do, because only the response matters. */
    private static final ObjectRef PROBED = new ObjectRef("User", "1");

    /**
     * Opens the store. Throws if the data directory cannot be used, and fails if the server at the
     * MongoDB address cannot.
     */
    static Future<Storage> open(Vertx vertx, ServerConfig config) {
        return config.mongo()
                .map(mongo -> inMongo(
                        vertx,
                        config.group().isPresent() ? mongo.shared() : mongo,
                        config.store().directory()))
                .orElseGet(() -> Future.succeededFuture(embedded(vertx, config)));
    }

    private static Storage embedded(Vertx vertx, ServerConfig config) {
        boolean isNew = Files.notExists(config.store().directory().resolve("ORESTES"));
        EmbeddedObjectStore store = EmbeddedObjectStore.open(vertx, config.store());
        StoreDescription description = new StoreDescription("embedded", List.of());
        return new Storage(
                store,
                Optional.empty(),
                isNew,
                description,
                () -> store.indexes(PROBED.bucket()),
                store::meter,
                Optional.empty());
    }

    private static Future<Storage> inMongo(Vertx vertx, MongoConfig mongo, Path directory) {
        makeDirectory(directory);
        return opened(vertx, mongo, ATTEMPTS)
                .map(store -> new Storage(
                        store,
                        Optional.of(store),
                        false,
                        new StoreDescription(store.name(), store.missing()),
                        () -> store.find(PROBED),
                        registry -> meter(store, registry),
                        Optional.of(store.changes())));
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
