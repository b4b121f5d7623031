package io.orestes.store.mongo.write;

import io.orestes.model.ObjectRef;
import io.orestes.model.StoredObject;
import io.orestes.model.WriteOutcome;
import io.orestes.store.mongo.document.CompletionRecords;
import io.orestes.store.mongo.document.CurrentObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bson.BsonDocument;

/**
 * A cache of the metadata of the objects that this process wrote last: their states without the
 * fields of the class. A replacement or deletion takes a state from it for its first attempt, and
 * need not read the object. Other processes make it stale at any time: a write names the state in
 * its filter, and reads the newest one before it is tried again or refused. Used on the store's
 * context only.
 */
public final class RecentMetadataCache {

    /** Maximum number of states, of some 500 bytes each. */
    private static final int MAX_ENTRIES = 10_000;

    private static final List<String> RETAINED_FIELDS = List.of(
            StoredObject.ID, StoredObject.VERSION, StoredObject.ACL, StoredObject.CREATED_AT, StoredObject.UPDATED_AT);

    private final Map<ObjectRef, CurrentObject> states = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<ObjectRef, CurrentObject> eldest) {
            return size() > MAX_ENTRIES;
        }
    };

    Optional<CurrentObject> of(ObjectRef ref) {
        return Optional.ofNullable(states.get(ref));
    }

    /**
     * Caches the state after a write of this process.
     *
     * @param writes the last writes of processes to the object
     */
    void put(WriteOutcome made, CompletionRecords writes) {
        made.storedObject()
                .ifPresentOrElse(
                        object -> states.put(
                                object.ref(),
                                new CurrentObject(new StoredObject(object.ref(), head(object.document())), writes)),
                        () -> evict(made.ref()));
    }

    /** Evicts the state of an object that another program may have written. */
    public void evict(ObjectRef ref) {
        states.remove(ref);
    }

    /** Evicts the state of an object that a later one has followed, as another process reports. */
    public void evictBefore(WriteOutcome later) {
        CurrentObject known = states.get(later.ref());
        if (known != null && later.stamp().isAfter(known.object().stamp())) {
            states.remove(later.ref());
        }
    }

    private static BsonDocument head(BsonDocument document) {
        BsonDocument head = new BsonDocument();
        RETAINED_FIELDS.stream().filter(document::containsKey).forEach(name -> head.append(name, document.get(name)));
        return head;
    }
}
