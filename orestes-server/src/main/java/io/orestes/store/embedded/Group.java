package io.orestes.store.embedded;

import com.google.common.primitives.Longs;
import io.invalidb.model.Stamp;
import io.orestes.model.ObjectRef;
import io.orestes.model.StoredObject;
import io.orestes.model.Tombstone;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Mutations that one write to the log makes durable together; each sees the effects of those before it. Used by the
 * committer's thread alone.
 */
final class Group implements AutoCloseable {

    private final Database database;
    private final IndexCatalog catalog;
    private final long now;
    private final Changes changes;
    private final Claims claims;
    private final Map<String, byte @Nullable []> written = new HashMap<>();
    private final Map<String, Long> ended = new HashMap<>();

    Group(Database database, IndexCatalog catalog, InstantSource clock) {
        this.database = database;
        this.catalog = catalog;
        this.now = clock.millis();
        this.changes = database.change();
        this.claims = new Claims(database);
    }

    /** The state that the next mutation of this object meets. */
    Optional<StoredObject> current(ObjectRef ref) {
        return encoded(ref).map(bytes -> Documents.lazy(ref, bytes));
    }

    /** The same as it lies there. */
    Optional<byte[]> encoded(ObjectRef ref) {
        String id = ref.id();
        return written.containsKey(id)
                ? Optional.ofNullable(written.get(id))
                : database.get(Family.OBJECTS, Documents.key(id));
    }

    /** When the last deleted object with this id had its last state, milliseconds since 1970; 0 if that is long ago. */
    long endOfLastLife(ObjectRef ref) {
        Long end = ended.get(ref.id());
        return end != null
                ? end
                : database.get(Family.TOMBSTONES, Documents.key(ref.id()))
                        .map(Longs::fromByteArray)
                        .orElse(0L);
    }

    /** The time of the group, or the next millisecond after {@code last} if the clock is not beyond that. */
    long timeAfter(long last) {
        return Math.max(now, last + 1);
    }

    /** Puts {@code after} in the place of {@code before}; fails with {@code UNIQUE_INDEX_EXCEPTION}, adding nothing. */
    void put(Optional<StoredObject> before, StoredObject after, byte[] encoded) {
        String id = after.ref().id();
        IndexChanges entries = catalog.changes(before, Optional.of(after));
        entries.addTo(changes, claims, id);
        changes.put(Family.OBJECTS, Documents.key(id), encoded);
        written.put(id, encoded);
    }

    /** Deletes the object and remembers when it ended. */
    Tombstone delete(StoredObject before) {
        String id = before.ref().id();
        IndexChanges entries = catalog.changes(Optional.of(before), Optional.empty());
        entries.addTo(changes, claims, id);
        changes.delete(Family.OBJECTS, Documents.key(id));
        changes.put(Family.TOMBSTONES, Documents.key(id), Longs.toByteArray(before.updatedAt()));
        written.put(id, null);
        ended.put(id, before.updatedAt());
        return new Tombstone(before.ref(), new Stamp(before.createdAt(), before.version() + 1));
    }

    /** Adds all that {@code part} adds or, if it throws, nothing. */
    <T> T whole(Supplier<T> part) {
        Map<String, byte @Nullable []> writtenBefore = new HashMap<>(written);
        Map<String, Long> endedBefore = new HashMap<>(ended);
        Runnable claimsBefore = claims.restoring();
        changes.mark();
        try {
            return part.get();
        } catch (RuntimeException e) {
            changes.backToMark();
            written.clear();
            written.putAll(writtenBefore);
            ended.clear();
            ended.putAll(endedBefore);
            claimsBefore.run();
            throw e;
        }
    }

    /** Makes all of it durable, or none. */
    void commit() {
        database.commit(changes);
    }

    @Override
    public void close() {
        changes.close();
    }
}
