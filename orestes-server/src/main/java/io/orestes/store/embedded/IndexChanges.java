package io.orestes.store.embedded;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** How index entries change with one object. */
final class IndexChanges {

    private static final byte[] NO_VALUE = {};

    private final List<byte[]> removed = new ArrayList<>();
    private final List<byte[]> added = new ArrayList<>();

    /** Puts the entries {@code after} in the place of those {@code before}, in one index. */
    void replace(Set<byte[]> before, Set<byte[]> after) {
        before.stream().filter(key -> !after.contains(key)).forEach(removed::add);
        after.stream().filter(key -> !before.contains(key)).forEach(added::add);
    }

    void addTo(Changes changes) {
        removed.forEach(key -> changes.delete(Family.INDEXES, key));
        added.forEach(key -> changes.put(Family.INDEXES, key, NO_VALUE));
    }
}
