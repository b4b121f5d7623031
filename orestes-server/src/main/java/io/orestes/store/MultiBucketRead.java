package io.orestes.store;

import io.orestes.model.ObjectRef;
import io.orestes.model.StoredObject;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

/** A read of objects from several buckets, split into one request for each bucket. */
public final class MultiBucketRead {

    private MultiBucketRead() {}

    /**
     * Reads some objects; absent ones are left out.
     *
     * @param read reads some objects of one class, each once, and returns those that exist
     */
    public static Future<Map<ObjectRef, StoredObject>> readAll(
            Collection<ObjectRef> refs, BiFunction<String, Set<ObjectRef>, Future<List<StoredObject>>> read) {
        List<Future<List<StoredObject>>> parts = new ArrayList<>();
        refs.stream()
                .collect(Collectors.groupingBy(ObjectRef::bucket, Collectors.toUnmodifiableSet()))
                .forEach((bucket, some) -> parts.add(read.apply(bucket, some)));
        return Future.all(parts).map(all -> {
            Map<ObjectRef, StoredObject> found = new HashMap<>();
            parts.forEach(part -> part.result().forEach(object -> found.put(object.ref(), object)));
            return found;
        });
    }
}
