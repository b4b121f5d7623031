package io.orestes.write;

import io.orestes.auth.rights.AdminInvariant;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
import io.orestes.model.WriteOutcome;
import io.orestes.store.Batch;
import io.orestes.store.ClassScan;
import io.orestes.store.ObjectStore;
import io.orestes.store.WriteGuard;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * The stage that commits writes of users and roles only if an active admin remains. A write that
 * may remove an admin is committed only while the states hold that its check found. Otherwise it
 * fails with an {@code UNAVAILABLE} that is {@link ApiException#isRepeatable repeatable}, and
 * {@link ObjectStore#runFenced} repeats the check.
 */
final class AdminLockoutGuard {

    private static final int DELETE_BATCH_SIZE = 200;

    private final ObjectStore store;
    private final AdminInvariant adminInvariant;
    private final AdminConflictObjects guard;

    AdminLockoutGuard(ObjectStore store) {
        this.store = store;
        this.adminInvariant = new AdminInvariant(store);
        this.guard = new AdminConflictObjects(store);
    }

    /**
     * Commits one checked write. The outcome is empty if it deletes an absent object. Fails with an
     * {@code UNAVAILABLE} that is repeatable if the states have changed that the check found.
     */
    Future<Optional<WriteOutcome>> commit(AdminPreservingWrites checked, Principal writer) {
        return checked.areIndependent()
                ? checked.writes().get(0).commit(store, writer)
                : commitGuarded(checked.withExistenceChecks(), writer);
    }

    private Future<Optional<WriteOutcome>> commitGuarded(AdminPreservingWrites checked, Principal writer) {
        Batch batch = checked.batch(List.of(), List.of(), writer);
        return store.commit(batch)
                .recover(AdminLockoutGuard::ofOneWrite)
                .map(outcomes -> checked.ownOutcomes(batch, outcomes).stream().findFirst());
    }

    /**
     * Removes the ids of stale objects from a failure: only commits of several writes name them.
     */
    private static <T> Future<T> ofOneWrite(Throwable failure) {
        ApiException known = ApiException.of(failure);
        return Future.failedFuture(
                known.code() == ErrorCode.OBJECT_OUT_OF_DATE
                        ? new ApiException(ErrorCode.OBJECT_OUT_OF_DATE, known.message())
                        : failure);
    }

    /**
     * Checks writes that are committed together. Fails with {@code PERMISSION_DENIED} if no active
     * admin is left.
     */
    Future<AdminPreservingWrites> check(List<Batch.StoreOperation> writes, Principal writer) {
        List<Batch.StoreOperation> relevant =
                writes.stream().filter(AdminLockoutGuard::isRelevant).toList();
        return relevant.isEmpty()
                ? Future.succeededFuture(new AdminPreservingWrites(writes, List.of(), List.of()))
                : store.findAll(relevant.stream().map(Batch.StoreOperation::ref).toList())
                        .compose(states -> {
                            requirePermission(relevant, states, writer);
                            return check(writes, relevant, states);
                        });
    }

    private static boolean isRelevant(Batch.StoreOperation write) {
        return write.mayOverwrite() && AdminInvariant.isAffectedBy(write.ref());
    }

    /**
     * Requires the permission to write the objects. Without it a writer must not learn whether an
     * object is the last admin, nor the result of an update.
     */
    private static void requirePermission(
            List<Batch.StoreOperation> writes, Map<ObjectRef, StoredObject> states, Principal writer) {
        WriteGuard permission = WriteGuard.permitted(Precondition.none(), writer);
        writes.forEach(write -> permission.check(write.ref(), states.get(write.ref())));
    }

    private Future<AdminPreservingWrites> check(
            List<Batch.StoreOperation> writes,
            List<Batch.StoreOperation> relevant,
            Map<ObjectRef, StoredObject> states) {
        Set<ObjectRef> leaving = relevant.stream()
                .filter(write -> mayRemoveAdmin(write, states.get(write.ref())))
                .map(Batch.StoreOperation::ref)
                .collect(Collectors.toUnmodifiableSet());
        List<Batch.StoreOperation> checked =
                writes.stream().map(write -> checked(write, leaving)).toList();
        return evidence(relevant, leaving).map(found -> found.map(evidence ->
                        new AdminPreservingWrites(checked, evidence.premises(), guard.writes(evidence.users())))
                .orElseGet(() -> new AdminPreservingWrites(checked, List.of(), List.of())));
    }

    /** True if the write may deactivate or delete a user. */
    private static boolean mayRemoveAdmin(Batch.StoreOperation write, @Nullable StoredObject before) {
        return !write.ref().equals(AdminInvariant.ADMIN_ROLE_REF)
                && write.<Boolean>fold(
                        insert -> false,
                        replace -> !AdminInvariant.isActive(replace.fields()),
                        update -> before != null
                                && DeactivationRejectingUpdate.deactivates(before.document(), after(update, before)),
                        delete -> true);
    }

    private static Batch.StoreOperation checked(Batch.StoreOperation write, Set<ObjectRef> leaving) {
        boolean hasToStay = isRelevant(write)
                && !write.ref().equals(AdminInvariant.ADMIN_ROLE_REF)
                && !leaving.contains(write.ref());
        return hasToStay ? write.mapUpdate(AdminLockoutGuard::rejectDeactivation) : write;
    }

    private static Batch.UpdateOperation rejectDeactivation(Batch.UpdateOperation write) {
        return new Batch.UpdateOperation(
                write.ref(),
                new DeactivationRejectingUpdate(write.update()),
                write.schemaEpoch(),
                write.precondition());
    }

    /** Finds the evidence that an admin remains; empty if the writes cannot remove one. */
    private Future<Optional<AdminInvariant.Evidence>> evidence(
            List<Batch.StoreOperation> relevant, Set<ObjectRef> leaving) {
        Optional<Batch.StoreOperation> role = relevant.stream()
                .filter(write -> write.ref().equals(AdminInvariant.ADMIN_ROLE_REF))
                .findFirst();
        if (role.isEmpty() && leaving.isEmpty()) {
            return Future.succeededFuture(Optional.empty());
        }
        return role.map(write ->
                        adminInvariant.requireAdminWithout(leaving, before -> after(write, before.orElse(null))))
                .orElseGet(() -> adminInvariant.requireAdminWithout(leaving))
                .map(Optional::of);
    }

    /** Returns the fields after the write; without any if there is no object then. */
    private static BsonDocument after(Batch.StoreOperation write, @Nullable StoredObject before) {
        return write.fold(
                Batch.InsertOperation::fields,
                Batch.ReplaceOperation::fields,
                update -> before == null
                        ? new BsonDocument()
                        : update.update().apply(before.document(), before.updatedAt()),
                delete -> new BsonDocument());
    }

    /**
     * Deletes all objects of a class but those that have to stay.
     *
     * @param deleted receives each part of the objects after their deletion
     */
    Future<Void> truncate(String bucket, long schemaEpoch, Consumer<List<? extends WriteOutcome>> deleted) {
        return AdminInvariant.retainsObjectsOf(bucket)
                ? ClassScan.eachPage(
                        store,
                        bucket,
                        DELETE_BATCH_SIZE,
                        page -> store.runFenced(Set.of(bucket), () -> delete(page, schemaEpoch, deleted)))
                : store.truncate(bucket, schemaEpoch, deleted::accept);
    }

    private Future<List<WriteOutcome>> delete(
            List<StoredObject> page, long schemaEpoch, Consumer<List<? extends WriteOutcome>> deleted) {
        return adminInvariant.retainedObjects().compose(staying -> {
            Batch batch = deletion(page, staying, schemaEpoch);
            return store.commit(batch).onSuccess(outcomes -> deleted.accept(deletions(outcomes)));
        });
    }

    private Batch deletion(List<StoredObject> page, AdminInvariant.RetainedObjects staying, long schemaEpoch) {
        List<ObjectRef> leaving = page.stream()
                .map(StoredObject::ref)
                .filter(ref -> !staying.refs().contains(ref))
                .toList();
        List<Batch.StoreOperation> deletions = leaving.stream()
                .<Batch.StoreOperation>map(ref -> new Batch.DeleteOperation(ref, schemaEpoch, Precondition.none()))
                .toList();
        return new AdminPreservingWrites(deletions, List.of(staying.premise()), guard.writes(leaving))
                .batch(List.of(), List.of(), Principal.SERVER);
    }

    private static List<WriteOutcome> deletions(List<WriteOutcome> outcomes) {
        return outcomes.stream()
                .filter(outcome -> outcome.storedObject().isEmpty())
                .toList();
    }
}
