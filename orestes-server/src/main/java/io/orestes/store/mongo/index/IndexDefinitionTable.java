package io.orestes.store.mongo.index;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.bson.types.ObjectId;

/**
 * The in-memory table of index definitions, accessible by number and by bucket. It is in memory
 * because every write and every query looks up the indexes of its bucket, and they seldom change.
 * Not for several threads.
 */
final class IndexDefinitionTable {

    private final Map<ObjectId, MongoIndexDefinition> byNumber = new TreeMap<>();

    /** Definitions by bucket. Lists are replaced, never changed, and none is empty. */
    private final Map<String, List<MongoIndexDefinition>> byBucket = new HashMap<>();

    /** Returns all definitions, oldest first. */
    Collection<MongoIndexDefinition> all() {
        return byNumber.values();
    }

    /** Returns the definitions of one bucket, oldest first, as they are now. */
    List<MongoIndexDefinition> of(String bucket) {
        return byBucket.getOrDefault(bucket, List.of());
    }

    Optional<MongoIndexDefinition> find(ObjectId number) {
        return Optional.ofNullable(byNumber.get(number));
    }

    /** Adds a definition, or replaces the one with its number. */
    void put(MongoIndexDefinition index) {
        byNumber.put(index.number(), index);
        byBucket.put(
                index.bucket(),
                Stream.concat(others(index), Stream.of(index))
                        .sorted(Comparator.comparing(MongoIndexDefinition::number))
                        .toList());
    }

    /** Removes a definition; does nothing if there is none with that number. */
    void remove(ObjectId number) {
        MongoIndexDefinition removed = byNumber.remove(number);
        if (removed != null) {
            List<MongoIndexDefinition> rest = others(removed).toList();
            byBucket.computeIfPresent(removed.bucket(), (bucket, all) -> rest.isEmpty() ? null : rest);
        }
    }

    private Stream<MongoIndexDefinition> others(MongoIndexDefinition index) {
        return of(index.bucket()).stream().filter(other -> !other.number().equals(index.number()));
    }
}
