package io.orestes.store;

import java.util.List;

/**
 * A secondary index: the field paths it finds objects by, most significant first.
 *
 * @param keys at least one
 * @param unique whether no two objects may have equal values at all of these paths. An object in which one of them leads
 *     to nothing, to null or to an empty array collides with none; the elements of an array count one by one
 */
public record IndexKeys(List<Key> keys, boolean unique) {

    /** What the only key of a text index has in the place of a path: it is about all texts of an object. */
    public static final String ALL_TEXTS = "$**";

    /** The index on the words of all texts of an object, for {@code $text}. */
    public static final IndexKeys TEXT = new IndexKeys(List.of(new Key(ALL_TEXTS, Kind.TEXT)));

    public IndexKeys {
        keys = List.copyOf(keys);
        if (keys.isEmpty()) {
            throw new IllegalArgumentException("An index has at least one key");
        }
        if (keys.stream().anyMatch(key -> key.kind() == Kind.TEXT)
                && (unique || keys.size() > 1 || !keys.get(0).path().equals(ALL_TEXTS))) {
            throw new IllegalArgumentException("A text index is about all texts and nothing else");
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

    /** An index on the places that one path leads to. */
    public static IndexKeys geo(String path) {
        return new IndexKeys(List.of(new Key(path, Kind.GEO)));
    }

    /** The unique index with the same keys. It is another index: one bucket may have both. */
    public IndexKeys asUnique() {
        return new IndexKeys(keys, true);
    }

    /** The index with the same keys that is not unique. */
    public IndexKeys asPlain() {
        return new IndexKeys(keys);
    }

    /** How an index finds the values at a path. */
    public enum Kind {
        ASCENDING,
        DESCENDING,
        /** By where the places and geometries among them are. */
        GEO,
        /** By words; only for {@link #TEXT}. */
        TEXT
    }

    /**
     * One path of an index.
     *
     * @param path dotted field path as stored, e.g. {@code address.city}
     */
    public record Key(String path, Kind kind) {

        /** A path whose values are ordered. */
        public Key(String path, boolean ascending) {
            this(path, ascending ? Kind.ASCENDING : Kind.DESCENDING);
        }

        /** Whether the values are ordered. */
        public boolean isOrdered() {
            return kind == Kind.ASCENDING || kind == Kind.DESCENDING;
        }
    }
}
