package io.orestes.store.mongo;

import io.orestes.model.ObjectRef;
import io.orestes.model.StoredObject;
import java.util.Collection;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * An object as a writer finds it.
 *
 * @param writes the last writes of processes to it
 */
record Found(StoredObject object, CompletionRecords writes) {

    /** Objects with the records of their documents; of two documents of one object the first counts. */
    static Map<ObjectRef, Found> of(Collection<StoredObject> objects, Map<ObjectRef, CompletionRecords> writes) {
        return objects.stream()
                .collect(Collectors.toMap(
                        StoredObject::ref,
                        object -> new Found(object, writes.getOrDefault(object.ref(), CompletionRecords.NONE)),
                        (one, twin) -> one));
    }
}
