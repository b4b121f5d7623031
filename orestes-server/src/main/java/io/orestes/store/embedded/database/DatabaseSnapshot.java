package io.orestes.store.embedded.database;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.util.Optional;
import java.util.function.Function;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;
import org.rocksdb.Snapshot;

/** A consistent snapshot of the whole database, used and closed by one thread. */
public final class DatabaseSnapshot implements AutoCloseable {

    private final RocksDB rocks;
    private final Function<ColumnFamily, ColumnFamilyHandle> handles;
    private final Snapshot snapshot;
    private final ReadOptions options;

    DatabaseSnapshot(RocksDB rocks, Function<ColumnFamily, ColumnFamilyHandle> handles) {
        this.rocks = rocks;
        this.handles = handles;
        this.snapshot = rocks.getSnapshot();
        this.options = new ReadOptions().setSnapshot(snapshot);
    }

    /** Returns the value of a key. */
    public Optional<byte[]> get(ColumnFamily columnFamily, byte[] key) {
        try {
            return Optional.ofNullable(rocks.get(handles.apply(columnFamily), options, key));
        } catch (RocksDBException e) {
            throw RocksDatabase.unreadable(e);
        }
    }

    /**
     * Passes the entries of a range to the visitor, in order, until it returns false; returns the
     * last result of the visitor.
     */
    @CanIgnoreReturnValue
    public boolean visit(ColumnFamily columnFamily, KeyRange range, EntryVisitor visitor) {
        try (Slice end = new Slice(range.to());
                ReadOptions bounded = new ReadOptions().setSnapshot(snapshot).setIterateUpperBound(end);
                RocksIterator entries = rocks.newIterator(handles.apply(columnFamily), bounded)) {
            boolean wantsMore = true;
            for (entries.seek(range.from()); wantsMore && entries.isValid(); entries.next()) {
                wantsMore = visitor.visit(entries.key(), entries.value());
            }
            entries.status();
            return wantsMore;
        } catch (RocksDBException e) {
            throw RocksDatabase.unreadable(e);
        }
    }

    /** Visits a range from its end to its beginning. */
    @CanIgnoreReturnValue
    public boolean visitReversed(ColumnFamily columnFamily, KeyRange range, EntryVisitor visitor) {
        try (Slice begin = new Slice(range.from());
                Slice end = new Slice(range.to());
                ReadOptions bounded = new ReadOptions()
                        .setSnapshot(snapshot)
                        .setIterateLowerBound(begin)
                        .setIterateUpperBound(end);
                RocksIterator entries = rocks.newIterator(handles.apply(columnFamily), bounded)) {
            boolean wantsMore = true;
            for (entries.seekToLast(); wantsMore && entries.isValid(); entries.prev()) {
                wantsMore = visitor.visit(entries.key(), entries.value());
            }
            entries.status();
            return wantsMore;
        } catch (RocksDBException e) {
            throw RocksDatabase.unreadable(e);
        }
    }

    @Override
    public void close() {
        options.close();
        rocks.releaseSnapshot(snapshot);
    }

    /** Processes one entry and returns true to continue. */
    public interface EntryVisitor {
        boolean visit(byte[] key, byte[] value);
    }
}
