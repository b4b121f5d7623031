package io.orestes.store;

import java.util.List;

/**
 * A secondary index: the field paths it orders by, most significant first.
 *
 * @param keys at least one
 */
public record IndexKeys(List<Key> keys) {

    public IndexKeys {
        keys = List.copyOf(keys);
        if (keys.isEmpty()) {
            throw new IllegalArgumentException("An index has at least one key");
        }
    }

    /** An ascending index on one path. */
    public static IndexKeys ascending(String path) {
        return new IndexKeys(List.of(new Key(path, true)));
    }

    /**
     * One path of an index.
     *
     * @param path dotted field path as stored, e.g. {@code address.city}
     * @param ascending direction
     */
    public record Key(String path, boolean ascending) {}
}
