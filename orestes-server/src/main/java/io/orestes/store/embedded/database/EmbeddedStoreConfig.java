package io.orestes.store.embedded.database;

import java.nio.file.Path;
import java.time.Duration;

/**
 * The configuration of the embedded store: data directory, memory, threads and time limit of
 * queries.
 *
 * @param directory its data directory; created if absent, owned by one process at a time
 * @param writeBufferBytes memory for writes that are logged but not yet in table files
 * @param cacheBytes memory for blocks of table files
 * @param readThreads threads that read from disk, at least 1; as many more run queries
 * @param queryBudget longest time that one query or count may run, more than 0; then it fails
 */
public record EmbeddedStoreConfig(
        Path directory, long writeBufferBytes, long cacheBytes, int readThreads, Duration queryBudget) {

    private static final long MEGABYTE = 1 << 20;

    public EmbeddedStoreConfig {
        if (writeBufferBytes < MEGABYTE || cacheBytes < MEGABYTE || readThreads < 1) {
            throw new IllegalArgumentException("A store needs a megabyte of each kind of memory and a thread");
        }
        if (queryBudget.isNegative() || queryBudget.isZero()) {
            throw new IllegalArgumentException("The time limit of queries has to be positive, not " + queryBudget);
        }
    }

    /**
     * Returns a configuration for a server with a memory budget of 200 MB: 16 MB of write buffer,
     * 32 MB of cache, 2 to 4 threads, and 5 seconds for a query.
     */
    public static EmbeddedStoreConfig at(Path directory) {
        int processors = Runtime.getRuntime().availableProcessors();
        int threads = Math.min(4, Math.max(2, processors));
        return new EmbeddedStoreConfig(directory, 16 * MEGABYTE, 32 * MEGABYTE, threads, Duration.ofSeconds(5));
    }

    /** Returns this configuration with another time limit for queries. */
    public EmbeddedStoreConfig withQueryBudget(Duration other) {
        return new EmbeddedStoreConfig(directory, writeBufferBytes, cacheBytes, readThreads, other);
    }
}
