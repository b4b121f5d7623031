package io.orestes.store.mongo;

import io.orestes.model.ObjectRef;
import io.orestes.model.Outcome;
import io.orestes.model.StoredObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bson.BsonDocument;

/**
 * What this process wrote lately, without the fields of the class, so that the next who replaces or deletes it need not read it
 * first. Other processes make it wrong at any time: whoever relies on it names the state when it writes, and reads the newest one
 * before refusing anything. Used on the store's context only.
 */
final class RecentStates {

    /** Some 500 bytes each. */
    private static final int MOST = 10_000;

    private static final List<String> KEPT = List.of(
            StoredObject.ID, StoredObject.VERSION, StoredObject.ACL, StoredObject.CREATED_AT, StoredObject.UPDATED_AT);

    private final Map<ObjectRef, StoredObject> states = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<ObjectRef, StoredObject> eldest) {
            return size() > MOST;
        }
    };

    Optional<StoredObject> of(ObjectRef ref) {
        return Optional.ofNullable(states.get(ref));
    }

    void note(Outcome outcome) {
        if (outcome instanceof StoredObject object) {
            states.put(object.ref(), new StoredObject(object.ref(), head(object.document())));
        } else {
            forget(outcome.ref());
        }
    }

    void forget(ObjectRef ref) {
        states.remove(ref);
    }

    private static BsonDocument head(BsonDocument document) {
        BsonDocument head = new BsonDocument();
        KEPT.stream().filter(document::containsKey).forEach(name -> head.append(name, document.get(name)));
        return head;
    }
}
