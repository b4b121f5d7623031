package io.orestes.store.embedded.database;

import java.nio.charset.StandardCharsets;
import org.rocksdb.RocksDB;

/** The column families of the database; their names are part of the format on disk. */
public enum ColumnFamily {
    /**
     * {@code index/<number>} → definition of an index; {@code filled/<number>} → last object that
     * has its entries there.
     */
    META(new String(RocksDB.DEFAULT_COLUMN_FAMILY, StandardCharsets.US_ASCII)),
    /** Id string → document. */
    OBJECTS("objects"),
    /** Entry of an index → nothing; key in a unique index → id string. */
    INDEXES("indexes"),
    /** Id string → time of the last state of a deleted object, milliseconds since 1970, 8 bytes. */
    TOMBSTONES("tombstones");

    private final String columnFamily;

    ColumnFamily(String columnFamily) {
        this.columnFamily = columnFamily;
    }

    byte[] columnFamily() {
        return columnFamily.getBytes(StandardCharsets.US_ASCII);
    }
}
