package io.orestes.write;

import io.orestes.auth.rights.AdminInvariant;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
import io.orestes.model.Tombstone;
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
import java.util.function.Function;
import java.util.stream.Collectors;
import org.bson.BsonDocument;

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
    private final WriteSkewGuard guard;

    AdminLockoutGuard(ObjectStore store) {
        this.store = store;
        this.adminInvariant = new AdminInvariant(store);
        this.guard = new WriteSkewGuard(store);
    }

    /**
     * Commits one write. Fails with {@code PERMISSION_DENIED} if no active admin is left.
     *
     * @param announcement publishes the outcome, which is empty after a deletion of nothing
     */
    <T> Future<T> write(
            Batch.StoreOperation write, Principal writer, Function<Optional<WriteOutcome>, Future<T>> announcement) {
        return check(List.of(write), writer)
                .compose(checked -> checked.areIndependent()
                        ? alone(checked.writes().get(0), writer).compose(announcement)
                        : guarded(checked, writer, announcement));
    }

    private Future<Optional<WriteOutcome>> alone(Batch.StoreOperation write, Principal writer) {
        if (write instanceof Batch.DeleteOperation deletion) {
            return store.delete(deletion.ref(), deletion.schemaEpoch(), deletion.precondition(), writer)
                    .map(deleted -> deleted.map(WriteOutcome.class::cast));
        }
        return stored(write, writer).map(Optional::of);
    }

    private Future<StoredObject> stored(Batch.StoreOperation write, Principal writer) {
        if (write instanceof Batch.InsertOperation insertion) {
            return store.insert(insertion.ref(), insertion.fields(), insertion.schemaEpoch());
        }
        if (write instanceof Batch.ReplaceOperation replacement) {
            return store.replace(
                    replacement.ref(),
                    replacement.fields(),
                    replacement.schemaEpoch(),
                    replacement.precondition(),
                    writer);
        }
        Batch.UpdateOperation revision = (Batch.UpdateOperation) write;
        return store.update(revision.ref(), revision.update(), revision.schemaEpoch(), revision.precondition(), writer);
    }

    private <T> Future<T> guarded(
            AdminCheckedWrites checked, Principal writer, Function<Optional<WriteOutcome>, Future<T>> announcement) {
        Batch batch = checked.withExistenceChecks().batch(List.of(), List.of(), writer);
        return store.commit(batch)
                .recover(AdminLockoutGuard::ofOneWrite)
                .compose(outcomes -> announcement.apply(
                        checked.ownOutcomes(batch, outcomes).stream().findFirst()));
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
    Future<AdminCheckedWrites> check(List<Batch.StoreOperation> writes, Principal writer) {
        List<Batch.StoreOperation> relevant =
                writes.stream().filter(AdminLockoutGuard::isRelevant).toList();
        return relevant.isEmpty()
                ? Future.succeededFuture(new AdminCheckedWrites(writes, List.of(), List.of()))
                : store.findAll(relevant.stream().map(Batch.StoreOperation::ref).toList())
                        .compose(states -> {
                            requirePermission(relevant, states, writer);
                            return check(writes, relevant, states);
                        });
    }

    private static boolean isRelevant(Batch.StoreOperation write) {
        return !(write instanceof Batch.InsertOperation) && AdminInvariant.isAffectedBy(write.ref());
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

    private Future<AdminCheckedWrites> check(
            List<Batch.StoreOperation> writes,
            List<Batch.StoreOperation> relevant,
            Map<ObjectRef, StoredObject> states) {
        Set<ObjectRef> leaving = relevant.stream()
                .filter(write -> mayRemoveAdmin(write, Optional.ofNullable(states.get(write.ref()))))
                .map(Batch.StoreOperation::ref)
                .collect(Collectors.toUnmodifiableSet());
        List<Batch.StoreOperation> checked =
                writes.stream().map(write -> checked(write, leaving)).toList();
        return evidence(relevant, leaving).map(found -> found.map(evidence ->
                        new AdminCheckedWrites(checked, evidence.premises(), guard.writes(evidence.users())))
                .orElseGet(() -> new AdminCheckedWrites(checked, List.of(), List.of())));
    }

    /** True if the write may deactivate or delete a user. */
    private static boolean mayRemoveAdmin(Batch.StoreOperation write, Optional<StoredObject> before) {
        if (write.ref().equals(AdminInvariant.ADMIN_ROLE_REF)) {
            return false;
        }
        if (write instanceof Batch.ReplaceOperation replacement) {
            return !AdminInvariant.isActive(replacement.fields());
        }
        return write instanceof Batch.DeleteOperation
                || before.filter(
                                state -> DeactivationRejectingUpdate.deactivates(state.document(), after(write, state)))
                        .isPresent();
    }

    private static Batch.StoreOperation checked(Batch.StoreOperation write, Set<ObjectRef> leaving) {
        boolean hasToStay = write instanceof Batch.UpdateOperation
                && isRelevant(write)
                && !write.ref().equals(AdminInvariant.ADMIN_ROLE_REF)
                && !leaving.contains(write.ref());
        return hasToStay ? rejectDeactivation((Batch.UpdateOperation) write) : write;
    }

    private static Batch.StoreOperation rejectDeactivation(Batch.UpdateOperation write) {
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
                        adminInvariant.requireAdminWithout(leaving, before -> before.map(state -> after(write, state))
                                .orElseGet(() -> created(write))))
                .orElseGet(() -> adminInvariant.requireAdminWithout(leaving))
                .map(Optional::of);
    }

    private static BsonDocument after(Batch.StoreOperation write, StoredObject before) {
        return write instanceof Batch.UpdateOperation revision
                ? revision.update().apply(before.document(), before.updatedAt())
                : created(write);
    }

    private static BsonDocument created(Batch.StoreOperation write) {
        return write instanceof Batch.ReplaceOperation replacement ? replacement.fields() : new BsonDocument();
    }

    /**
     * Deletes all objects of a class but those that have to stay.
     *
     * @param announcement publishes a part of the objects after their deletion
     */
    Future<Void> truncate(String bucket, long schemaEpoch, Function<List<Tombstone>, Future<?>> announcement) {
        return AdminInvariant.retainsObjectsOf(bucket)
                ? ClassScan.eachPage(
                        store,
                        bucket,
                        DELETE_BATCH_SIZE,
                        page -> store.runFenced(Set.of(bucket), () -> delete(page, schemaEpoch, announcement)))
                : store.truncate(bucket, schemaEpoch, deleted -> {
                    Future<?> unused = announcement.apply(deleted);
                });
    }

    private Future<List<WriteOutcome>> delete(
            List<StoredObject> page, long schemaEpoch, Function<List<Tombstone>, Future<?>> announcement) {
        return adminInvariant.retainedObjects().compose(staying -> {
            Batch batch = deletion(page, staying, schemaEpoch);
            return store.commit(batch).onSuccess(outcomes -> {
                Future<?> unused = announcement.apply(tombstones(outcomes));
            });
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
        return new AdminCheckedWrites(deletions, List.of(staying.premise()), guard.writes(leaving))
                .batch(List.of(), List.of(), Principal.SERVER);
    }

    private static List<Tombstone> tombstones(List<WriteOutcome> outcomes) {
        return outcomes.stream()
                .filter(Tombstone.class::isInstance)
                .map(Tombstone.class::cast)
                .toList();
    }
}
