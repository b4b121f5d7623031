package io.orestes.store.embedded.database;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.rocksdb.AbstractNativeReference;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.IndexType;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.LRUCache;
import org.rocksdb.Range;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.SizeApproximationFlag;
import org.rocksdb.Slice;
import org.rocksdb.WALRecoveryMode;
import org.rocksdb.WriteOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The RocksDB database of this store, with its column families, options and durable writes. Any
 * thread may call it until it is closed. The closing thread makes sure that no call is running,
 * since such a call would bring down the process. Failures are {@code UNAVAILABLE}.
 */
public final class RocksDatabase implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(RocksDatabase.class);
    private static final long MEGABYTE = 1 << 20;

    /** Cache shards, as a power of two: some for each reading thread. */
    private static final int CACHE_SHARD_BITS = 3;

    /** Share of the cache that is reserved for blocks of indexes and filters. */
    private static final double SHARE_OF_INDEXES = 0.5;

    /**
     * Maximum progress, because sizes are estimates; the progress of a complete index is not
     * requested.
     */
    private static final double MAX_PROGRESS = 0.99;

    private final Deque<AbstractNativeReference> resources = new ArrayDeque<>();
    private final Map<ColumnFamily, ColumnFamilyHandle> handles = new EnumMap<>(ColumnFamily.class);
    private final WriteOptions synced = register(new WriteOptions().setSync(true));
    private final WriteOptions unsynced = register(new WriteOptions());
    private final RocksDB rocks;

    private RocksDatabase(Path directory, EmbeddedStoreConfig config, boolean create) throws RocksDBException {
        DBOptions options =
                register(databaseOptions(config)).setCreateIfMissing(create).setCreateMissingColumnFamilies(create);
        ColumnFamilyOptions tables = register(tableOptions(config));
        List<ColumnFamilyDescriptor> families = new ArrayList<>();
        for (ColumnFamily family : ColumnFamily.values()) {
            families.add(new ColumnFamilyDescriptor(family.columnFamily(), tables));
        }
        rocks = open(options, directory, families);
    }

    /** Opens the database in this folder; {@code create} allows that it is absent. */
    public static RocksDatabase open(Path directory, EmbeddedStoreConfig config, boolean create)
            throws RocksDBException {
        RocksDB.loadLibrary();
        return new RocksDatabase(directory, config, create);
    }

    /** Returns the newest value of a key. */
    public Optional<byte[]> get(ColumnFamily family, byte[] key) {
        try {
            return Optional.ofNullable(rocks.get(handle(family), key));
        } catch (RocksDBException e) {
            throw unreadable(e);
        }
    }

    /** Returns a snapshot of all data as of now, until it is closed. */
    public DatabaseSnapshot openSnapshot() {
        return new DatabaseSnapshot(rocks, this::handle);
    }

    /** Returns the approximate share of the range's data before the key, from 0 to less than 1. */
    public double share(ColumnFamily family, KeyRange range, byte[] key) {
        try (Slice from = new Slice(range.from());
                Slice middle = new Slice(key);
                Slice to = new Slice(range.to())) {
            long[] sizes = rocks.getApproximateSizes(
                    handle(family),
                    List.of(new Range(from, middle), new Range(from, to)),
                    SizeApproximationFlag.INCLUDE_FILES,
                    SizeApproximationFlag.INCLUDE_MEMTABLES);
            return Math.min(MAX_PROGRESS, (double) sizes[0] / Math.max(1, sizes[1]));
        }
    }

    /** Starts a set of changes. */
    public ChangeSet newChangeSet() {
        return new ChangeSet(this::handle);
    }

    /** Applies all changes or none. When this returns, they and all earlier ones are on disk. */
    public void commit(ChangeSet changeSet) {
        write(changeSet, synced);
    }

    /**
     * Applies all changes or none. They survive the end of this process, but a failure of the
     * machine only after the next {@link #commit} or {@link #sync}. No later change survives such a
     * failure without them.
     */
    public void commitUnsynced(ChangeSet changeSet) {
        write(changeSet, unsynced);
    }

    /** Writes all applied changes to disk. */
    public void sync() {
        try {
            rocks.syncWal();
        } catch (RocksDBException e) {
            throw unwritable(e);
        }
    }

    private void write(ChangeSet changeSet, WriteOptions options) {
        try {
            if (!changeSet.isEmpty()) {
                changeSet.writeTo(rocks, options);
            }
        } catch (RocksDBException e) {
            throw unwritable(e);
        }
    }

    private static ApiException unwritable(RocksDBException e) {
        return ApiException.fault(ErrorCode.UNAVAILABLE, "The store cannot write", e);
    }

    static ApiException unreadable(RocksDBException e) {
        return ApiException.fault(ErrorCode.UNAVAILABLE, "The store cannot read", e);
    }

    /** Moves the log's contents to table files, so that the next start is quick, and closes. */
    @Override
    public void close() {
        try (FlushOptions options = new FlushOptions()) {
            rocks.flush(options, List.copyOf(handles.values()));
        } catch (RocksDBException e) {
            LOG.warn("Tables could not be written; the next start reads the whole log", e);
        }
        rocks.cancelAllBackgroundWork(true);
        handles.values().forEach(ColumnFamilyHandle::close);
        rocks.close();
        closeResources();
    }

    private RocksDB open(DBOptions options, Path directory, List<ColumnFamilyDescriptor> families)
            throws RocksDBException {
        try {
            List<ColumnFamilyHandle> opened = new ArrayList<>();
            RocksDB database = RocksDB.open(options, directory.toString(), families, opened);
            Arrays.stream(ColumnFamily.values()).forEach(family -> handles.put(family, opened.get(handles.size())));
            return database;
        } catch (RocksDBException e) {
            closeResources();
            throw e;
        }
    }

    private void closeResources() {
        resources.forEach(AbstractNativeReference::close);
    }

    private ColumnFamilyHandle handle(ColumnFamily family) {
        return Objects.requireNonNull(handles.get(family));
    }

    private DBOptions databaseOptions(EmbeddedStoreConfig config) {
        return new DBOptions()
                .setParanoidChecks(true)
                // The point-in-time mode would skip a damaged record together with the acknowledged
                // ones behind it.
                .setWalRecoveryMode(WALRecoveryMode.TolerateCorruptedTailRecords)
                .setDbWriteBufferSize(config.writeBufferBytes())
                .setMaxTotalWalSize(4 * config.writeBufferBytes())
                .setMaxBackgroundJobs(2)
                .setMaxOpenFiles(256)
                .setInfoLogLevel(InfoLogLevel.WARN_LEVEL)
                .setMaxLogFileSize(MEGABYTE)
                .setKeepLogFileNum(2)
                .setStatsDumpPeriodSec(0)
                .setStatsPersistPeriodSec(0);
    }

    private ColumnFamilyOptions tableOptions(EmbeddedStoreConfig config) {
        Cache cache = register(new LRUCache(config.cacheBytes(), CACHE_SHARD_BITS, false, SHARE_OF_INDEXES));
        return new ColumnFamilyOptions()
                .setWriteBufferSize(config.writeBufferBytes())
                .setCompressionType(CompressionType.LZ4_COMPRESSION)
                .setTableFormatConfig(new BlockBasedTableConfig()
                        .setBlockCache(cache)
                        .setFilterPolicy(register(new BloomFilter(10)))
                        // in parts, since the index of a file as a whole may be larger than a shard
                        // of the cache
                        .setIndexType(IndexType.kTwoLevelIndexSearch)
                        .setPartitionFilters(true)
                        .setPinTopLevelIndexAndFilter(true)
                        .setCacheIndexAndFilterBlocks(true)
                        .setCacheIndexAndFilterBlocksWithHighPriority(true)
                        .setPinL0FilterAndIndexBlocksInCache(true));
    }

    private <T extends AbstractNativeReference> T register(T resource) {
        resources.push(resource);
        return resource;
    }
}
