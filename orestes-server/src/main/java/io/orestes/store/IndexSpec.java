package io.orestes.store;

import java.util.List;

/**
 * The specification of a secondary index: its field paths, most significant first, and whether it
 * is unique.
 *
 * @param keys at least one
 * @param unique whether no two objects may have equal values at all of these paths. An object in
 *     which one of them leads to nothing, to null or to an empty array collides with none; the
 *     elements of an array count one by one
 */
public record IndexSpec(List<IndexedField> keys, boolean unique) {

    /** Path of the only key of a text index, which covers all texts of an object. */
    public static final String ALL_TEXTS = "$**";

    /** The index on the words of all texts of an object, for {@code $text}. */
    public static final IndexSpec TEXT = new IndexSpec(List.of(new IndexedField(ALL_TEXTS, IndexKind.TEXT)));

    public IndexSpec {
        keys = List.copyOf(keys);
        if (keys.isEmpty()) {
            throw new IllegalArgumentException("An index has at least one key");
        }
        if (keys.stream().anyMatch(key -> key.kind() == IndexKind.TEXT)
                && (unique || keys.size() > 1 || !keys.get(0).path().equals(ALL_TEXTS))) {
            throw new IllegalArgumentException("A text index covers all texts and has no other keys");
        }
    }

    /** Creates the specification of an index that is not unique. */
    public IndexSpec(List<IndexedField> keys) {
        this(keys, false);
    }

    /** An ascending index on one path. */
    public static IndexSpec ascending(String path) {
        return new IndexSpec(List.of(new IndexedField(path, true)));
    }

    /** Creates the specification of an index on the places at one path. */
    public static IndexSpec geo(String path) {
        return new IndexSpec(List.of(new IndexedField(path, IndexKind.GEO)));
    }

    /**
     * Returns the unique index with the same keys. It is another index: one bucket may have both.
     */
    public IndexSpec asUnique() {
        return new IndexSpec(keys, true);
    }

    /** Returns the index with the same keys that is not unique. */
    public IndexSpec asPlain() {
        return new IndexSpec(keys);
    }

    /** The kind of an indexed field: ascending, descending, geographic or full text. */
    public enum IndexKind {
        ASCENDING,
        DESCENDING,
        /** By position of the places and geometries among the values. */
        GEO,
        /** By words; only for {@link #TEXT}. */
        TEXT
    }

    /**
     * One field path of an index, with the kind of access that the index gives to its values.
     *
     * @param path dotted field path as stored, e.g. {@code address.city}
     */
    public record IndexedField(String path, IndexKind kind) {

        /** Creates a field whose values are ordered. */
        public IndexedField(String path, boolean ascending) {
            this(path, ascending ? IndexKind.ASCENDING : IndexKind.DESCENDING);
        }

        /** True if the values are ordered. */
        public boolean isOrdered() {
            return kind == IndexKind.ASCENDING || kind == IndexKind.DESCENDING;
        }
    }
}
