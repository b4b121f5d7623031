package io.orestes.store.embedded.index;

import io.orestes.store.embedded.codec.StoredDocumentCodec;
import io.orestes.store.embedded.database.ChangeSet;
import io.orestes.store.embedded.database.ColumnFamily;
import io.orestes.store.embedded.database.RocksDatabase;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The checker of unique constraints, which tracks the owner of each key including pending changes.
 * Used by the committer's thread alone.
 */
public final class UniqueConstraintChecker {

    private final RocksDatabase rocksDatabase;
    private final Map<UniqueKeyEntry, Optional<String>> holders = new HashMap<>();

    public UniqueConstraintChecker(RocksDatabase rocksDatabase) {
        this.rocksDatabase = rocksDatabase;
    }

    /** Fails with {@code UNIQUE_INDEX_EXCEPTION} if another object owns one of the keys. */
    void requireFree(Set<UniqueKeyEntry> claims, String id) {
        for (UniqueKeyEntry uniqueKeyEntry : claims) {
            if (holder(uniqueKeyEntry).filter(other -> !other.equals(id)).isPresent()) {
                throw uniqueKeyEntry.violatedBy(id);
            }
        }
    }

    /** Replaces the keys of an object. */
    void replaceKeys(Set<UniqueKeyEntry> before, Set<UniqueKeyEntry> after, String id, ChangeSet changeSet) {
        for (UniqueKeyEntry uniqueKeyEntry : before) {
            if (!after.contains(uniqueKeyEntry) && isHeldBy(id, uniqueKeyEntry)) {
                holders.put(uniqueKeyEntry, Optional.empty());
                changeSet.delete(ColumnFamily.INDEXES, uniqueKeyEntry.key());
            }
        }
        for (UniqueKeyEntry uniqueKeyEntry : after) {
            if (!before.contains(uniqueKeyEntry)) {
                holders.put(uniqueKeyEntry, Optional.of(id));
                changeSet.put(ColumnFamily.INDEXES, uniqueKeyEntry.key(), StoredDocumentCodec.key(id));
            }
        }
    }

    /** Returns an action that reverts all changes from now on. */
    public Runnable savepoint() {
        Map<UniqueKeyEntry, Optional<String>> before = new HashMap<>(holders);
        return () -> {
            holders.clear();
            holders.putAll(before);
        };
    }

    /**
     * True if the object owns the key. While an index is being filled, an object may release a key
     * that another one claimed first.
     */
    private boolean isHeldBy(String id, UniqueKeyEntry uniqueKeyEntry) {
        return holder(uniqueKeyEntry).filter(id::equals).isPresent();
    }

    private Optional<String> holder(UniqueKeyEntry uniqueKeyEntry) {
        Optional<String> pending = holders.get(uniqueKeyEntry);
        return pending != null
                ? pending
                : rocksDatabase
                        .get(ColumnFamily.INDEXES, uniqueKeyEntry.key())
                        .map(id -> new String(id, StandardCharsets.US_ASCII));
    }
}
