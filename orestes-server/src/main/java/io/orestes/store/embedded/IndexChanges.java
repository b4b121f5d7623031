package io.orestes.store.embedded;

import io.orestes.model.StoredObject;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** How index entries, and claims on unique indexes, change with one object. */
final class IndexChanges {

    private static final byte[] NO_VALUE = {};

    private final List<byte[]> removed = new ArrayList<>();
    private final List<byte[]> added = new ArrayList<>();
    private Set<Claim> released = Set.of();
    private Set<Claim> claimed = Set.of();

    /** Puts one state of an object in the place of another, in one index or in what this becomes at the same time. */
    void move(
            IndexDefinition index,
            Optional<StoredObject> before,
            IndexDefinition indexAfter,
            Optional<StoredObject> after) {
        replace(IndexEntries.of(index, before), IndexEntries.of(indexAfter, after));
        if (index.keys().unique()) {
            exchange(Claim.of(index, before), Claim.of(indexAfter, after));
        }
    }

    private void replace(Set<byte[]> before, Set<byte[]> after) {
        before.stream().filter(key -> !after.contains(key)).forEach(removed::add);
        after.stream().filter(key -> !before.contains(key)).forEach(added::add);
    }

    private void exchange(Set<Claim> before, Set<Claim> after) {
        released = union(released, before);
        claimed = union(claimed, after);
    }

    /** Fails with {@code UNIQUE_INDEX_EXCEPTION}, having added nothing, if the object may not claim what it does. */
    void addTo(Changes changes, Claims claims, String id) {
        if (!released.isEmpty() || !claimed.isEmpty()) {
            claims.requireFree(claimed, id);
            claims.exchange(released, claimed, id, changes);
        }
        removed.forEach(key -> changes.delete(Family.INDEXES, key));
        added.forEach(key -> changes.put(Family.INDEXES, key, NO_VALUE));
    }

    private static Set<Claim> union(Set<Claim> one, Set<Claim> other) {
        Set<Claim> union = new HashSet<>(one);
        union.addAll(other);
        return union;
    }
}
