package io.orestes.store.embedded.database;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import java.util.function.Function;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * A set of changes to the database that are applied atomically (a RocksDB write batch). Used by one
 * thread.
 */
public final class ChangeSet implements AutoCloseable {

    private final WriteBatch batch = new WriteBatch();
    private final Function<ColumnFamily, ColumnFamilyHandle> handles;

    ChangeSet(Function<ColumnFamily, ColumnFamilyHandle> handles) {
        this.handles = handles;
    }

    public void put(ColumnFamily columnFamily, byte[] key, byte[] value) {
        add(() -> batch.put(handles.apply(columnFamily), key, value));
    }

    public void delete(ColumnFamily columnFamily, byte[] key) {
        add(() -> batch.delete(handles.apply(columnFamily), key));
    }

    public void delete(ColumnFamily columnFamily, KeyRange range) {
        add(() -> batch.deleteRange(handles.apply(columnFamily), range.from(), range.to()));
    }

    /** Sets a savepoint. */
    public void setSavepoint() {
        batch.setSavePoint();
    }

    /** Removes all changes that were added after {@link #setSavepoint}. */
    public void rollbackToSavepoint() {
        add(batch::rollbackToSavePoint);
    }

    boolean isEmpty() {
        return batch.count() == 0;
    }

    void writeTo(RocksDB rocks, WriteOptions options) throws RocksDBException {
        rocks.write(options, batch);
    }

    @Override
    public void close() {
        batch.close();
    }

    private static void add(RocksAction addition) {
        try {
            addition.run();
        } catch (RocksDBException e) {
            throw ApiException.fault(ErrorCode.UNAVAILABLE, "The store cannot write", e);
        }
    }

    private interface RocksAction {
        void run() throws RocksDBException;
    }
}
