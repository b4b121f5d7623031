package io.orestes.store.embedded.index;

import io.orestes.model.StoredObject;
import io.orestes.store.embedded.database.ChangeSet;
import io.orestes.store.embedded.database.ColumnFamily;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The difference of index entries between two states of one object, including those of unique
 * indexes.
 */
public final class IndexDelta {

    private static final byte[] NO_VALUE = {};

    private final List<byte[]> removed = new ArrayList<>();
    private final List<byte[]> added = new ArrayList<>();
    private Set<UniqueKeyEntry> released = Set.of();
    private Set<UniqueKeyEntry> claimed = Set.of();

    /**
     * Replaces one state of an object by another, in one index or in its moved definition.
     *
     * @param before null if there is no object before
     * @param after null if there is no object after it
     */
    public void move(
            EmbeddedIndexDefinition index,
            @Nullable StoredObject before,
            EmbeddedIndexDefinition indexAfter,
            @Nullable StoredObject after) {
        replace(IndexEntries.of(index, before), IndexEntries.of(indexAfter, after));
        if (index.spec().unique()) {
            exchange(UniqueKeyEntry.of(index, before), UniqueKeyEntry.of(indexAfter, after));
        }
    }

    private void replace(Set<byte[]> before, Set<byte[]> after) {
        before.stream().filter(key -> !after.contains(key)).forEach(removed::add);
        after.stream().filter(key -> !before.contains(key)).forEach(added::add);
    }

    private void exchange(Set<UniqueKeyEntry> before, Set<UniqueKeyEntry> after) {
        released = union(released, before);
        claimed = union(claimed, after);
    }

    /**
     * Adds the changes to a set. Fails with {@code UNIQUE_INDEX_EXCEPTION}, having added nothing,
     * if another object owns one of the claimed keys.
     */
    public void addTo(ChangeSet changeSet, UniqueConstraintChecker uniqueConstraintChecker, String id) {
        if (!released.isEmpty() || !claimed.isEmpty()) {
            uniqueConstraintChecker.requireFree(claimed, id);
            uniqueConstraintChecker.replaceKeys(released, claimed, id, changeSet);
        }
        removed.forEach(key -> changeSet.delete(ColumnFamily.INDEXES, key));
        added.forEach(key -> changeSet.put(ColumnFamily.INDEXES, key, NO_VALUE));
    }

    private static Set<UniqueKeyEntry> union(Set<UniqueKeyEntry> one, Set<UniqueKeyEntry> other) {
        Set<UniqueKeyEntry> union = new HashSet<>(one);
        union.addAll(other);
        return union;
    }
}
