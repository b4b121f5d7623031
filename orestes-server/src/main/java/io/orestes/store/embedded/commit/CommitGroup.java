package io.orestes.store.embedded.commit;

import com.google.common.primitives.Longs;
import io.invalidb.model.VersionStamp;
import io.orestes.model.ObjectRef;
import io.orestes.model.StoredObject;
import io.orestes.model.Tombstone;
import io.orestes.store.embedded.codec.StoredDocumentCodec;
import io.orestes.store.embedded.database.ChangeSet;
import io.orestes.store.embedded.database.ColumnFamily;
import io.orestes.store.embedded.database.RocksDatabase;
import io.orestes.store.embedded.index.EmbeddedIndexCatalog;
import io.orestes.store.embedded.index.IndexDelta;
import io.orestes.store.embedded.index.UniqueConstraintChecker;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A group of mutations that one synced write makes durable; each sees the effects of earlier ones.
 * Used by the committer's thread alone.
 */
public final class CommitGroup implements AutoCloseable {

    private final RocksDatabase rocksDatabase;
    private final EmbeddedIndexCatalog catalog;
    private final long now;
    private final ChangeSet changeSet;
    private final UniqueConstraintChecker uniqueConstraintChecker;
    private final Map<String, byte @Nullable []> written = new HashMap<>();
    private final Map<String, Long> ended = new HashMap<>();

    public CommitGroup(RocksDatabase rocksDatabase, EmbeddedIndexCatalog catalog, InstantSource clock) {
        this.rocksDatabase = rocksDatabase;
        this.catalog = catalog;
        this.now = clock.millis();
        this.changeSet = rocksDatabase.newChangeSet();
        this.uniqueConstraintChecker = new UniqueConstraintChecker(rocksDatabase);
    }

    /** Returns the state that the next mutation of this object finds. */
    Optional<StoredObject> current(ObjectRef ref) {
        return encoded(ref).map(bytes -> StoredDocumentCodec.lazy(ref, bytes));
    }

    /** Returns that state as it is encoded on disk. */
    Optional<byte[]> encoded(ObjectRef ref) {
        String id = ref.id();
        return written.containsKey(id)
                ? Optional.ofNullable(written.get(id))
                : rocksDatabase.get(ColumnFamily.OBJECTS, StoredDocumentCodec.key(id));
    }

    /**
     * Returns the time of the last state of the last deleted object with this id, milliseconds
     * since 1970; 0 if its tombstone was removed since.
     */
    long endOfLastLife(ObjectRef ref) {
        Long end = ended.get(ref.id());
        return end != null
                ? end
                : rocksDatabase
                        .get(ColumnFamily.TOMBSTONES, StoredDocumentCodec.key(ref.id()))
                        .map(Longs::fromByteArray)
                        .orElse(0L);
    }

    /**
     * Returns the time of the group, or the next millisecond after {@code last} if that is later.
     */
    long timeAfter(long last) {
        return Math.max(now, last + 1);
    }

    /**
     * Replaces {@code before} by {@code after}; fails with {@code UNIQUE_INDEX_EXCEPTION}, adding
     * nothing.
     *
     * @param before null if there is no object
     */
    void put(@Nullable StoredObject before, StoredObject after, byte[] encoded) {
        String id = after.ref().id();
        IndexDelta entries = catalog.changes(after.ref().bucket(), before, after);
        entries.addTo(changeSet, uniqueConstraintChecker, id);
        changeSet.put(ColumnFamily.OBJECTS, StoredDocumentCodec.key(id), encoded);
        written.put(id, encoded);
    }

    /** Deletes the object and records the time of its last state. */
    public Tombstone delete(StoredObject before) {
        String id = before.ref().id();
        IndexDelta entries = catalog.changes(before.ref().bucket(), before, null);
        entries.addTo(changeSet, uniqueConstraintChecker, id);
        changeSet.delete(ColumnFamily.OBJECTS, StoredDocumentCodec.key(id));
        changeSet.put(ColumnFamily.TOMBSTONES, StoredDocumentCodec.key(id), Longs.toByteArray(before.updatedAt()));
        written.put(id, null);
        ended.put(id, before.updatedAt());
        return new Tombstone(before.ref(), new VersionStamp(before.createdAt(), before.version() + 1));
    }

    /** Adds all changes of {@code part}, or none if it throws. */
    <T> T atomically(Supplier<T> part) {
        Map<String, byte @Nullable []> writtenBefore = new HashMap<>(written);
        Map<String, Long> endedBefore = new HashMap<>(ended);
        Runnable claimsBefore = uniqueConstraintChecker.savepoint();
        changeSet.setSavepoint();
        try {
            return part.get();
        } catch (RuntimeException e) {
            changeSet.rollbackToSavepoint();
            written.clear();
            written.putAll(writtenBefore);
            ended.clear();
            ended.putAll(endedBefore);
            claimsBefore.run();
            throw e;
        }
    }

    /** Makes all changes durable, or none. */
    public void commit() {
        rocksDatabase.commit(changeSet);
    }

    @Override
    public void close() {
        changeSet.close();
    }
}
