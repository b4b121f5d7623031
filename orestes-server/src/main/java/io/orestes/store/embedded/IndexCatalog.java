package io.orestes.store.embedded;

import io.orestes.model.StoredObject;
import io.orestes.store.IndexKeys;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which indexes there are. The committer's thread changes it, any thread reads it.
 *
 * <p>An index that is still being filled is maintained by writes but not used by queries. How far that has come is kept with
 * the entries, so that the next process goes on from there if this one ends before.
 */
final class IndexCatalog {

    private final Database database;
    private volatile List<IndexDefinition> definitions = List.of();
    /** By number of the index, for those that are being filled: the key of the last object whose entries are there. */
    private final Map<Integer, byte[]> filled = new ConcurrentHashMap<>();

    private int lastNumber;

    private IndexCatalog(Database database) {
        this.database = database;
    }

    /** Reads the catalog of a database that was just opened. */
    static IndexCatalog load(Database database) {
        IndexCatalog catalog = new IndexCatalog(database);
        List<IndexDefinition> found = new ArrayList<>();
        try (View view = database.view()) {
            view.visit(
                    Family.META, IndexDefinition.allKeys(), (key, value) -> found.add(IndexDefinition.decode(value)));
        }
        found.forEach(catalog::restore);
        return catalog;
    }

    /** The indexes of a bucket that queries may use, oldest first. */
    List<IndexDefinition> ready(String bucket) {
        return definitions.stream()
                .filter(index -> index.isReady() && index.bucket().equals(bucket))
                .toList();
    }

    /** The indexes of all buckets that are still being filled, oldest first. */
    List<IndexDefinition> unready() {
        return definitions.stream().filter(index -> !index.isReady()).toList();
    }

    /** The objects whose entries an index lacks that is being filled. */
    KeyRange rest(IndexDefinition index) {
        KeyRange all = KeyRange.bucket(index.bucket());
        byte[] last = filled.get(index.number());
        return last == null ? all : all.after(last);
    }

    /** About which share of the objects has its entries, less than 1. */
    double progress(IndexDefinition index) {
        byte[] last = filled.get(index.number());
        return last == null ? 0 : database.share(Family.OBJECTS, KeyRange.bucket(index.bucket()), last);
    }

    /** Adds to the entries of some objects that they are there, up to that one, to be told of when they are. */
    void fill(IndexDefinition index, byte[] last, Changes changes) {
        changes.put(Family.META, index.filledKey(), last);
    }

    void filled(IndexDefinition index, byte[] last) {
        filled.put(index.number(), last);
    }

    /** The index with these keys, ready or not. */
    Optional<IndexDefinition> find(String bucket, IndexKeys keys) {
        return definitions.stream()
                .filter(index -> index.bucket().equals(bucket) && index.keys().equals(keys))
                .findFirst();
    }

    /** Whether this index was not dropped since it was declared. */
    boolean contains(IndexDefinition index) {
        return definitions.contains(index);
    }

    /** Declares an index that writes maintain from now on. */
    IndexDefinition declare(String bucket, IndexKeys keys) {
        IndexDefinition index = new IndexDefinition(lastNumber + 1, bucket, keys, false);
        save(index);
        lastNumber = index.number();
        definitions = with(definitions, index);
        return index;
    }

    /** Lets queries use an index that is full. */
    void publish(IndexDefinition index) {
        try (Changes changes = database.change()) {
            changes.put(Family.META, index.key(), index.ready().encoded());
            changes.delete(Family.META, index.filledKey());
            database.commit(changes);
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
    void replace(List<Rewriting.IndexMove> moves) {
        try (Changes changes = database.change()) {
            moves.forEach(move ->
                    changes.put(Family.META, move.after().key(), move.after().encoded()));
            database.commit(changes);
        }
        Map<IndexDefinition, IndexDefinition> replacements = new HashMap<>();
        moves.forEach(move -> replacements.put(move.before(), move.after()));
        definitions = definitions.stream()
                .map(known -> replacements.getOrDefault(known, known))
                .toList();
    }

    /** Removes an index and its entries. */
    void drop(IndexDefinition index) {
        definitions = definitions.stream().filter(known -> !known.equals(index)).toList();
        try (Changes changes = database.change()) {
            changes.delete(Family.META, index.key());
            changes.delete(Family.META, index.filledKey());
            changes.delete(Family.INDEXES, index.entries());
            database.commit(changes);
        }
        filled.remove(index.number());
    }

    /** How the entries of all indexes change when one state of an object takes the place of another. */
    IndexChanges changes(Optional<StoredObject> before, Optional<StoredObject> after) {
        IndexChanges changes = new IndexChanges();
        String bucket = before.or(() -> after).orElseThrow().ref().bucket();
        for (IndexDefinition index : definitions) {
            if (index.bucket().equals(bucket)) {
                changes.move(index, before, index, after);
            }
        }
        return changes;
    }

    private void restore(IndexDefinition index) {
        lastNumber = Math.max(lastNumber, index.number());
        definitions = with(definitions, index);
        if (!index.isReady()) {
            database.get(Family.META, index.filledKey()).ifPresent(last -> filled(index, last));
        }
    }

    private void save(IndexDefinition index) {
        try (Changes changes = database.change()) {
            changes.put(Family.META, index.key(), index.encoded());
            database.commit(changes);
        }
    }

    private static List<IndexDefinition> with(List<IndexDefinition> known, IndexDefinition added) {
        List<IndexDefinition> all = new ArrayList<>(known);
        all.add(added);
        return List.copyOf(all);
    }
}
