package io.orestes.write;

import io.orestes.model.ObjectRef;
import io.orestes.model.Precondition;
import io.orestes.store.Batch;
import io.orestes.store.ObjectStore;
import java.util.Collection;
import java.util.List;
import org.bson.BsonDocument;

/**
 * The guard objects that materialize conflicts between commits about active admins, so that no
 * write skew occurs. A commit writes the guard objects of the users that it deactivates or deletes,
 * and that of the admin that it relies on. Without them, two transactions of MongoDB that each rely
 * on the user that the other deactivates would change different objects, and both would succeed.
 * Users share a bounded number of guard objects, so that deleted users leave none behind.
 */
final class AdminConflictObjects {

    private static final String BUCKET = "_guards";
    private static final int SLOTS = 64;

    private final ObjectStore store;

    AdminConflictObjects(ObjectStore store) {
        this.store = store;
    }

    /** Writes that belong to a commit about the activity of these users. */
    List<Batch.StoreOperation> writes(Collection<ObjectRef> users) {
        return users.stream()
                .map(AdminConflictObjects::slot)
                .distinct()
                .sorted()
                .map(this::write)
                .toList();
    }

    private static int slot(ObjectRef user) {
        return Math.floorMod(user.id().hashCode(), SLOTS);
    }

    private Batch.StoreOperation write(int slot) {
        return new Batch.ReplaceOperation(
                new ObjectRef(BUCKET, "admin" + slot),
                new BsonDocument(),
                store.schemaEpoch(BUCKET),
                Precondition.none());
    }
}
