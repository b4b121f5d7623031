package io.orestes.store;

import java.util.List;

/**
 * A secondary index: the field paths it orders by, most significant first.
 *
 * @param keys at least one
 * @param unique whether no two objects may have equal values at all of these paths. An object in which one of them leads
 *     to nothing, to null or to an empty array collides with none; the elements of an array count one by one
 */
public record IndexKeys(List<Key> keys, boolean unique) {

    public IndexKeys {
        keys = List.copyOf(keys);
        if (keys.isEmpty()) {
            throw new IllegalArgumentException("An index has at least one key");
        }
    }

    /** An index that any objects may have equal values in. */
    public IndexKeys(List<Key> keys) {
        this(keys, false);
    }

    /** An ascending index on one path. */
    public static IndexKeys ascending(String path) {
        return new IndexKeys(List.of(new Key(path, true)));
    }

    /** The unique index with the same keys. It is another index: one bucket may have both. */
    public IndexKeys asUnique() {
        return new IndexKeys(keys, true);
    }

    /** The index with the same keys that is not unique. */
    public IndexKeys asPlain() {
        return new IndexKeys(keys);
    }

    /**
     * One path of an index.
     *
     * @param path dotted field path as stored, e.g. {@code address.city}
     * @param ascending direction
     */
    public record Key(String path, boolean ascending) {}
}
