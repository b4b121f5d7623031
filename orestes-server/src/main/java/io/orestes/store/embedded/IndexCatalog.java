package io.orestes.store.embedded;

import io.orestes.model.StoredObject;
import io.orestes.store.IndexKeys;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which indexes there are. The committer's thread changes it, any thread reads it.
 *
 * <p>An index that is still being filled is maintained by writes but not used by queries. If the process ends before it
 * is full, the next one drops it; whoever declared it was not told that it exists.
 */
final class IndexCatalog {

    private final Database database;
    private volatile List<IndexDefinition> definitions = List.of();
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
        save(index.ready());
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
            changes.delete(Family.INDEXES, index.entries());
            database.commit(changes);
        }
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
        if (index.isReady()) {
            definitions = with(definitions, index);
        } else {
            drop(index);
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
