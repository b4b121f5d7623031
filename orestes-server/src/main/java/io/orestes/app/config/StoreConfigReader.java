package io.orestes.app.config;

import io.orestes.config.Settings;
import io.orestes.store.embedded.database.EmbeddedStoreConfig;
import io.orestes.store.mongo.driver.MongoConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * The reader of the configuration keys {@code data}, {@code mongo} and those below both stores:
 * where objects are stored, and with which limits.
 */
final class StoreConfigReader {

    private static final Duration MIN_DEADLINE = Duration.ofMillis(100);

    private StoreConfigReader() {}

    /** Returns the data directory. */
    static Path directory(Settings in) {
        return in.path("data", Path.of("data")).toAbsolutePath().normalize();
    }

    static EmbeddedStoreConfig embedded(Settings in) {
        Path directory = directory(in);
        EmbeddedStoreConfig standard = EmbeddedStoreConfig.at(directory);
        return new EmbeddedStoreConfig(
                directory,
                Math.max(1L << 20, in.bytes("store.write-buffer", standard.writeBufferBytes())),
                Math.max(1L << 20, in.bytes("store.cache", standard.cacheBytes())),
                in.count("store.read-threads", standard.readThreads(), 1, 64),
                in.duration("store.query-budget", standard.queryBudget(), Duration.ofMillis(1)));
    }

    static Optional<MongoConfig> mongo(Settings in) {
        Duration deadline = in.duration("mongo.deadline", Duration.ofSeconds(10), MIN_DEADLINE);
        Duration budget = embedded(in).queryBudget();
        try {
            Optional<MongoConfig> mongo = in.text("mongo").map(MongoConfig::at);
            mongo.map(MongoConfig::weakeningOptions)
                    .filter(options -> !options.isEmpty())
                    .ifPresent(options -> in.reject(
                            "mongo",
                            "must not say " + String.join(", ", options)
                                    + ": reads are of the primary, and writes of the majority and in the journal"));
            return mongo.map(config -> config.withResponseTimeout(deadline).withQueryBudget(budget));
        } catch (IllegalArgumentException malformed) {
            // The exception's message could contain a password.
            in.reject("mongo", "is no address such as mongodb://127.0.0.1:27017/orestes");
            return Optional.empty();
        }
    }
}
