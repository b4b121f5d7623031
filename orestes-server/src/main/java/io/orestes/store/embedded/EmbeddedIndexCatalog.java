package io.orestes.store.embedded;

import io.orestes.model.StoredObject;
import io.orestes.store.IndexSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The catalog of declared indexes, written by the committer's thread and read by any thread.
 *
 * <p>An index that is still being filled is maintained by writes but not used by queries. How far
 * that has come is kept with the entries, so that the next process goes on from there if this one
 * ends before.
 */
final class EmbeddedIndexCatalog {

    private final RocksDatabase rocksDatabase;
    private volatile List<EmbeddedIndexDefinition> definitions = List.of();
    /**
     * By number of the index, for those that are being filled: the key of the last object whose
     * entries are there.
     */
    private final Map<Integer, byte[]> filled = new ConcurrentHashMap<>();

    private int lastNumber;

    private EmbeddedIndexCatalog(RocksDatabase rocksDatabase) {
        this.rocksDatabase = rocksDatabase;
    }

    /** Reads the catalog of a database that was just opened. */
    static EmbeddedIndexCatalog load(RocksDatabase rocksDatabase) {
        EmbeddedIndexCatalog catalog = new EmbeddedIndexCatalog(rocksDatabase);
        List<EmbeddedIndexDefinition> found = new ArrayList<>();
        try (DatabaseSnapshot databaseSnapshot = rocksDatabase.view()) {
            databaseSnapshot.visit(
                    ColumnFamily.META,
                    EmbeddedIndexDefinition.allKeys(),
                    (key, value) -> found.add(EmbeddedIndexDefinition.decode(value)));
        }
        found.forEach(catalog::restore);
        return catalog;
    }

    /** The indexes of a bucket that queries may use, oldest first. */
    List<EmbeddedIndexDefinition> ready(String bucket) {
        return definitions.stream()
                .filter(index -> index.isReady() && index.bucket().equals(bucket))
                .toList();
    }

    /** The indexes of all buckets that are still being filled, oldest first. */
    List<EmbeddedIndexDefinition> unready() {
        return definitions.stream().filter(index -> !index.isReady()).toList();
    }

    /** The objects whose entries an index lacks that is being filled. */
    KeyRange rest(EmbeddedIndexDefinition index) {
        KeyRange all = KeyRange.bucket(index.bucket());
        byte[] last = filled.get(index.number());
        return last == null ? all : all.after(last);
    }

    /** About which share of the objects has its entries, less than 1. */
    double progress(EmbeddedIndexDefinition index) {
        byte[] last = filled.get(index.number());
        return last == null ? 0 : rocksDatabase.share(ColumnFamily.OBJECTS, KeyRange.bucket(index.bucket()), last);
    }

    /**
     * Adds to the entries of some objects that they are there, up to that one, to be told of when
     * they are.
     */
    void fill(EmbeddedIndexDefinition index, byte[] last, ChangeSet changeSet) {
        changeSet.put(ColumnFamily.META, index.filledKey(), last);
    }

    void filled(EmbeddedIndexDefinition index, byte[] last) {
        filled.put(index.number(), last);
    }

    /** The index with these keys, ready or not. */
    Optional<EmbeddedIndexDefinition> find(String bucket, IndexSpec keys) {
        return definitions.stream()
                .filter(index -> index.bucket().equals(bucket) && index.keys().equals(keys))
                .findFirst();
    }

    /** Whether this index was not dropped since it was declared. */
    boolean contains(EmbeddedIndexDefinition index) {
        return definitions.contains(index);
    }

    /** Declares an index that writes maintain from now on. */
    EmbeddedIndexDefinition declare(String bucket, IndexSpec keys) {
        EmbeddedIndexDefinition index = new EmbeddedIndexDefinition(lastNumber + 1, bucket, keys, false);
        save(index);
        lastNumber = index.number();
        definitions = with(definitions, index);
        return index;
    }

    /** Lets queries use an index that is full. */
    void publish(EmbeddedIndexDefinition index) {
        try (ChangeSet changeSet = rocksDatabase.change()) {
            changeSet.put(ColumnFamily.META, index.key(), index.ready().encoded());
            changeSet.delete(ColumnFamily.META, index.filledKey());
            rocksDatabase.commit(changeSet);
        }
        filled.remove(index.number());
        definitions = definitions.stream()
                .map(known -> known.equals(index) ? index.ready() : known)
                .toList();
    }

    /** Removes the indexes of a bucket that are still being filled. */
    void dropUnready(String bucket) {
        definitions.stream()
                .filter(index -> !index.isReady() && index.bucket().equals(bucket))
                .forEach(this::drop);
    }

    /** Removes the indexes of a bucket, ready or not. */
    void dropAll(String bucket) {
        definitions.stream().filter(index -> index.bucket().equals(bucket)).forEach(this::drop);
    }

    /** Gives indexes other paths; their entries have to be right already. */
    void replace(List<RewriteTask.IndexMove> moves) {
        try (ChangeSet changeSet = rocksDatabase.change()) {
            moves.forEach(move -> changeSet.put(
                    ColumnFamily.META, move.after().key(), move.after().encoded()));
            rocksDatabase.commit(changeSet);
        }
        Map<EmbeddedIndexDefinition, EmbeddedIndexDefinition> replacements = new HashMap<>();
        moves.forEach(move -> replacements.put(move.before(), move.after()));
        definitions = definitions.stream()
                .map(known -> replacements.getOrDefault(known, known))
                .toList();
    }

    /** Removes an index and its entries. */
    void drop(EmbeddedIndexDefinition index) {
        definitions = definitions.stream().filter(known -> !known.equals(index)).toList();
        try (ChangeSet changeSet = rocksDatabase.change()) {
            changeSet.delete(ColumnFamily.META, index.key());
            changeSet.delete(ColumnFamily.META, index.filledKey());
            changeSet.delete(ColumnFamily.INDEXES, index.entries());
            rocksDatabase.commit(changeSet);
        }
        filled.remove(index.number());
    }

    /**
     * How the entries of all indexes change when one state of an object takes the place of another.
     */
    IndexDelta changes(Optional<StoredObject> before, Optional<StoredObject> after) {
        IndexDelta changeSet = new IndexDelta();
        String bucket = before.or(() -> after).orElseThrow().ref().bucket();
        for (EmbeddedIndexDefinition index : definitions) {
            if (index.bucket().equals(bucket)) {
                changeSet.move(index, before, index, after);
            }
        }
        return changeSet;
    }

    private void restore(EmbeddedIndexDefinition index) {
        lastNumber = Math.max(lastNumber, index.number());
        definitions = with(definitions, index);
        if (!index.isReady()) {
            rocksDatabase.get(ColumnFamily.META, index.filledKey()).ifPresent(last -> filled(index, last));
        }
    }

    private void save(EmbeddedIndexDefinition index) {
        try (ChangeSet changeSet = rocksDatabase.change()) {
            changeSet.put(ColumnFamily.META, index.key(), index.encoded());
            rocksDatabase.commit(changeSet);
        }
    }

    private static List<EmbeddedIndexDefinition> with(
            List<EmbeddedIndexDefinition> known, EmbeddedIndexDefinition added) {
        List<EmbeddedIndexDefinition> all = new ArrayList<>(known);
        all.add(added);
        return List.copyOf(all);
    }
}
