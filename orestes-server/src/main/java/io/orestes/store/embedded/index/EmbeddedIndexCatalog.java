package io.orestes.store.embedded.index;

import io.orestes.model.StoredObject;
import io.orestes.store.IndexSpec;
import io.orestes.store.embedded.database.ChangeSet;
import io.orestes.store.embedded.database.ColumnFamily;
import io.orestes.store.embedded.database.DatabaseSnapshot;
import io.orestes.store.embedded.database.KeyRange;
import io.orestes.store.embedded.database.RocksDatabase;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The catalog of declared indexes, written by the committer's thread and read by any thread.
 *
 * <p>Writes maintain an index that is still being filled, but queries do not use it. The progress
 * is stored with the entries, so that the next process continues from there if this one ends
 * before.
 */
public final class EmbeddedIndexCatalog {

    private final RocksDatabase rocksDatabase;
    private volatile List<EmbeddedIndexDefinition> definitions = List.of();
    /**
     * Key of the last object with entries, by number of the index, for indexes that are being
     * filled.
     */
    private final Map<Integer, byte[]> filled = new ConcurrentHashMap<>();

    private int lastNumber;

    private EmbeddedIndexCatalog(RocksDatabase rocksDatabase) {
        this.rocksDatabase = rocksDatabase;
    }

    /** Reads the catalog of a newly opened database. */
    public static EmbeddedIndexCatalog load(RocksDatabase rocksDatabase) {
        EmbeddedIndexCatalog catalog = new EmbeddedIndexCatalog(rocksDatabase);
        List<EmbeddedIndexDefinition> found = new ArrayList<>();
        try (DatabaseSnapshot databaseSnapshot = rocksDatabase.openSnapshot()) {
            databaseSnapshot.visit(
                    ColumnFamily.META,
                    EmbeddedIndexDefinition.allKeys(),
                    (key, value) -> found.add(EmbeddedIndexDefinition.decode(value)));
        }
        found.forEach(catalog::restore);
        return catalog;
    }

    /** Returns the indexes of a bucket that queries may use, oldest first. */
    public List<EmbeddedIndexDefinition> ready(String bucket) {
        return definitions.stream()
                .filter(index -> index.isReady() && index.bucket().equals(bucket))
                .toList();
    }

    /** Returns the indexes of all buckets that are still being filled, oldest first. */
    public List<EmbeddedIndexDefinition> unready() {
        return definitions.stream().filter(index -> !index.isReady()).toList();
    }

    /**
     * Returns the keys of the objects that have no entries yet in an index that is being filled.
     */
    public KeyRange remainingObjects(EmbeddedIndexDefinition index) {
        KeyRange all = KeyRange.bucket(index.bucket());
        byte[] last = filled.get(index.number());
        return last == null ? all : all.after(last);
    }

    /** Returns the approximate share of the objects with entries, less than 1. */
    public double progress(EmbeddedIndexDefinition index) {
        byte[] last = filled.get(index.number());
        return last == null ? 0 : rocksDatabase.share(ColumnFamily.OBJECTS, KeyRange.bucket(index.bucket()), last);
    }

    /**
     * Adds the progress to a set of new entries; it has to be confirmed once they are written.
     *
     * @param last key of the last object with entries
     */
    public void recordProgress(EmbeddedIndexDefinition index, byte[] last, ChangeSet changeSet) {
        changeSet.put(ColumnFamily.META, index.filledKey(), last);
    }

    public void confirmProgress(EmbeddedIndexDefinition index, byte[] last) {
        filled.put(index.number(), last);
    }

    /** Returns the index with these keys, ready or not. */
    public Optional<EmbeddedIndexDefinition> find(String bucket, IndexSpec keys) {
        return definitions.stream()
                .filter(index -> index.bucket().equals(bucket) && index.spec().equals(keys))
                .findFirst();
    }

    /** True if this index was not dropped since it was declared. */
    boolean contains(EmbeddedIndexDefinition index) {
        return definitions.contains(index);
    }

    /** Declares an index, which writes maintain from now on. */
    public EmbeddedIndexDefinition declare(String bucket, IndexSpec keys) {
        EmbeddedIndexDefinition index = new EmbeddedIndexDefinition(lastNumber + 1, bucket, keys, false);
        save(index);
        lastNumber = index.number();
        definitions = with(definitions, index);
        return index;
    }

    /** Allows queries to use a completely filled index. */
    public void publish(EmbeddedIndexDefinition index) {
        try (ChangeSet changeSet = rocksDatabase.newChangeSet()) {
            changeSet.put(ColumnFamily.META, index.key(), index.asReady().encode());
            changeSet.delete(ColumnFamily.META, index.filledKey());
            rocksDatabase.commit(changeSet);
        }
        filled.remove(index.number());
        definitions = definitions.stream()
                .map(known -> known.equals(index) ? index.asReady() : known)
                .toList();
    }

    /** Removes the indexes of a bucket that are still being filled. */
    public void dropUnready(String bucket) {
        definitions.stream()
                .filter(index -> !index.isReady() && index.bucket().equals(bucket))
                .forEach(this::drop);
    }

    /** Removes the indexes of a bucket, ready or not. */
    public void dropAll(String bucket) {
        definitions.stream().filter(index -> index.bucket().equals(bucket)).forEach(this::drop);
    }

    /** Changes the paths of indexes; their entries have to match already. */
    public void replace(List<IndexRewrite> moves) {
        try (ChangeSet changeSet = rocksDatabase.newChangeSet()) {
            moves.forEach(move -> changeSet.put(
                    ColumnFamily.META, move.after().key(), move.after().encode()));
            rocksDatabase.commit(changeSet);
        }
        Map<EmbeddedIndexDefinition, EmbeddedIndexDefinition> replacements = new HashMap<>();
        moves.forEach(move -> replacements.put(move.before(), move.after()));
        definitions = definitions.stream()
                .map(known -> replacements.getOrDefault(known, known))
                .toList();
    }

    /** Removes an index and its entries. */
    public void drop(EmbeddedIndexDefinition index) {
        definitions = definitions.stream().filter(known -> !known.equals(index)).toList();
        try (ChangeSet changeSet = rocksDatabase.newChangeSet()) {
            changeSet.delete(ColumnFamily.META, index.key());
            changeSet.delete(ColumnFamily.META, index.filledKey());
            changeSet.delete(ColumnFamily.INDEXES, index.entries());
            rocksDatabase.commit(changeSet);
        }
        filled.remove(index.number());
    }

    /**
     * Returns the changes of the entries of all indexes when one state of an object replaces
     * another.
     *
     * @param before null if there is no object before
     * @param after null if there is no object after it
     */
    public IndexDelta changes(String bucket, @Nullable StoredObject before, @Nullable StoredObject after) {
        IndexDelta delta = new IndexDelta();
        for (EmbeddedIndexDefinition index : definitions) {
            if (index.bucket().equals(bucket)) {
                delta.move(index, before, index, after);
            }
        }
        return delta;
    }

    private void restore(EmbeddedIndexDefinition index) {
        lastNumber = Math.max(lastNumber, index.number());
        definitions = with(definitions, index);
        if (!index.isReady()) {
            rocksDatabase.get(ColumnFamily.META, index.filledKey()).ifPresent(last -> confirmProgress(index, last));
        }
    }

    private void save(EmbeddedIndexDefinition index) {
        try (ChangeSet changeSet = rocksDatabase.newChangeSet()) {
            changeSet.put(ColumnFamily.META, index.key(), index.encode());
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
