package io.orestes.store.mongo;

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
 * Indexes by number, and by bucket, as every write and every query asks for those of its own and they seldom change. Not for several
 * threads.
 */
final class IndexDefinitions {

    private final Map<ObjectId, IndexDefinition> byNumber = new TreeMap<>();

    /** Lists are replaced, never changed, and none is empty. */
    private final Map<String, List<IndexDefinition>> byBucket = new HashMap<>();

    /** All of them, oldest first. */
    Collection<IndexDefinition> all() {
        return byNumber.values();
    }

    /** Those of one bucket, oldest first, as they are now. */
    List<IndexDefinition> of(String bucket) {
        return byBucket.getOrDefault(bucket, List.of());
    }

    Optional<IndexDefinition> find(ObjectId number) {
        return Optional.ofNullable(byNumber.get(number));
    }

    /** Adds one, or puts another state of it in the place of that with its number. */
    void put(IndexDefinition index) {
        byNumber.put(index.number(), index);
        byBucket.put(
                index.bucket(),
                Stream.concat(others(index), Stream.of(index))
                        .sorted(Comparator.comparing(IndexDefinition::number))
                        .toList());
    }

    /** Does nothing if there is none with that number. */
    void remove(ObjectId number) {
        IndexDefinition removed = byNumber.remove(number);
        if (removed != null) {
            List<IndexDefinition> rest = others(removed).toList();
            byBucket.computeIfPresent(removed.bucket(), (bucket, all) -> rest.isEmpty() ? null : rest);
        }
    }

    private Stream<IndexDefinition> others(IndexDefinition index) {
        return of(index.bucket()).stream().filter(other -> !other.number().equals(index.number()));
    }
}
