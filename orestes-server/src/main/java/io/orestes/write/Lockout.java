package io.orestes.write;

import io.orestes.auth.Admins;
import io.orestes.model.ObjectRef;
import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
import io.orestes.model.Tombstone;
import io.orestes.store.Batch;
import io.orestes.store.ClassScan;
import io.orestes.store.ObjectStore;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.bson.BsonDocument;

/** The stage before the commit of users and roles: the write must leave somebody who can administer the server. */
final class Lockout {

    private static final int DELETED_AT_ONCE = 200;

    private final ObjectStore store;
    private final Admins admins;

    Lockout(ObjectStore store) {
        this.store = store;
        this.admins = new Admins(store);
    }

    /**
     * Fails with {@code PERMISSION_DENIED} if it does not. What the writer may not write anyway is refused later, in other
     * words.
     */
    Future<Void> prevent(Batch.Write write, Principal writer) {
        return write instanceof Batch.Insertion || !Admins.dependOn(write.ref())
                ? Future.succeededFuture()
                : store.find(write.ref())
                        .map(found -> found.filter(state -> state.acl().write().permits(writer)))
                        .compose(found -> found.map(state -> admins.requireOneAfter(write.ref(), after(write, state)))
                                .orElse(Future.succeededFuture()));
    }

    private static Optional<BsonDocument> after(Batch.Write write, StoredObject state) {
        if (write instanceof Batch.Replacement replacement) {
            return Optional.of(replacement.fields());
        }
        return write instanceof Batch.Revision revision
                ? Optional.of(revision.update().apply(state.document(), state.updatedAt()))
                : Optional.empty();
    }

    /** Deletes all objects of a class but those that have to stay. */
    Future<Void> truncate(String bucket, long form, Consumer<List<Tombstone>> deleted) {
        return Admins.stayIn(bucket)
                ? admins.staying()
                        .compose(staying -> ClassScan.eachPage(
                                store, bucket, DELETED_AT_ONCE, page -> delete(page, staying, form, deleted)))
                : store.truncate(bucket, form, deleted);
    }

    private Future<Void> delete(
            List<StoredObject> page, Set<ObjectRef> staying, long form, Consumer<List<Tombstone>> deleted) {
        List<Future<Optional<Tombstone>>> gone = new ArrayList<>();
        page.stream()
                .map(StoredObject::ref)
                .filter(ref -> !staying.contains(ref))
                .forEach(ref -> gone.add(store.delete(ref, form, Precondition.none(), Principal.SERVER)));
        return Future.join(gone)
                .eventually(() -> {
                    deleted.accept(gone.stream()
                            .filter(Future::succeeded)
                            .flatMap(one -> one.result().stream())
                            .toList());
                    return Future.succeededFuture();
                })
                .mapEmpty();
    }
}
