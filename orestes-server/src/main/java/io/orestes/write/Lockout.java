package io.orestes.write;

import io.orestes.auth.Admins;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Outcome;
import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
import io.orestes.model.Tombstone;
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
 * The stage that commits writes of users and roles so that an active admin is left. A write that may
 * take an admin away is committed only while the states hold that its check found. Otherwise it fails
 * with an {@code UNAVAILABLE} that is {@link ApiException#isRepeatable repeatable}, and
 * {@link ObjectStore#whenOpen} has it checked again.
 */
final class Lockout {

    private static final int DELETED_AT_ONCE = 200;

    private final ObjectStore store;
    private final Admins admins;
    private final LastAdminGuard guard;

    Lockout(ObjectStore store) {
        this.store = store;
        this.admins = new Admins(store);
        this.guard = new LastAdminGuard(store);
    }

    /**
     * Does one write. Fails with {@code PERMISSION_DENIED} if no active admin is left.
     *
     * @param announcement publishes what was committed, which is empty after a deletion of nothing
     */
    <T> Future<T> write(Batch.Write write, Principal writer, Function<Optional<Outcome>, Future<T>> announcement) {
        return check(List.of(write), writer)
                .compose(checked -> checked.areIndependent()
                        ? alone(checked.writes().get(0), writer).compose(announcement)
                        : guarded(checked, writer, announcement));
    }

    private Future<Optional<Outcome>> alone(Batch.Write write, Principal writer) {
        if (write instanceof Batch.Deletion deletion) {
            return store.delete(deletion.ref(), deletion.form(), deletion.precondition(), writer)
                    .map(deleted -> deleted.map(Outcome.class::cast));
        }
        return stored(write, writer).map(Optional::of);
    }

    private Future<StoredObject> stored(Batch.Write write, Principal writer) {
        if (write instanceof Batch.Insertion insertion) {
            return store.insert(insertion.ref(), insertion.fields(), insertion.form());
        }
        if (write instanceof Batch.Replacement replacement) {
            return store.replace(
                    replacement.ref(), replacement.fields(), replacement.form(), replacement.precondition(), writer);
        }
        Batch.Revision revision = (Batch.Revision) write;
        return store.update(revision.ref(), revision.update(), revision.form(), revision.precondition(), writer);
    }

    private <T> Future<T> guarded(
            CheckedWrites checked, Principal writer, Function<Optional<Outcome>, Future<T>> announcement) {
        Batch batch = checked.alone().batch(List.of(), List.of(), writer);
        return store.commit(batch)
                .recover(Lockout::ofOneWrite)
                .compose(outcomes ->
                        announcement.apply(checked.own(batch, outcomes).stream().findFirst()));
    }

    /** Only commits of several writes name those that are stale. */
    private static <T> Future<T> ofOneWrite(Throwable failure) {
        ApiException known = ApiException.of(failure);
        return Future.failedFuture(
                known.code() == ErrorCode.OBJECT_OUT_OF_DATE
                        ? new ApiException(ErrorCode.OBJECT_OUT_OF_DATE, known.message())
                        : failure);
    }

    /** Checks writes that are committed together. Fails with {@code PERMISSION_DENIED} if no active admin is left. */
    Future<CheckedWrites> check(List<Batch.Write> writes, Principal writer) {
        List<Batch.Write> relevant = writes.stream().filter(Lockout::isRelevant).toList();
        return relevant.isEmpty()
                ? Future.succeededFuture(new CheckedWrites(writes, List.of(), List.of()))
                : store.findAll(relevant.stream().map(Batch.Write::ref).toList())
                        .compose(states -> {
                            requirePermission(relevant, states, writer);
                            return check(writes, relevant, states);
                        });
    }

    private static boolean isRelevant(Batch.Write write) {
        return !(write instanceof Batch.Insertion) && Admins.dependOn(write.ref());
    }

    /** Without the right to write an object nobody learns whether it is the last admin, nor what an update makes of it. */
    private static void requirePermission(
            List<Batch.Write> writes, Map<ObjectRef, StoredObject> states, Principal writer) {
        WriteGuard permission = WriteGuard.of(Precondition.none(), writer);
        writes.forEach(write -> permission.check(write.ref(), Optional.ofNullable(states.get(write.ref()))));
    }

    private Future<CheckedWrites> check(
            List<Batch.Write> writes, List<Batch.Write> relevant, Map<ObjectRef, StoredObject> states) {
        Set<ObjectRef> leaving = relevant.stream()
                .filter(write -> takesAway(write, Optional.ofNullable(states.get(write.ref()))))
                .map(Batch.Write::ref)
                .collect(Collectors.toUnmodifiableSet());
        List<Batch.Write> checked =
                writes.stream().map(write -> checked(write, leaving)).toList();
        return evidence(relevant, leaving).map(found -> found.map(
                        evidence -> new CheckedWrites(checked, evidence.premises(), guard.writes(evidence.users())))
                .orElseGet(() -> new CheckedWrites(checked, List.of(), List.of())));
    }

    /** Whether the write may deactivate or delete a user. */
    private static boolean takesAway(Batch.Write write, Optional<StoredObject> before) {
        if (write.ref().equals(Admins.ROLE)) {
            return false;
        }
        if (write instanceof Batch.Replacement replacement) {
            return !Admins.isActive(replacement.fields());
        }
        return write instanceof Batch.Deletion
                || before.filter(state -> StayingActive.deactivates(state.document(), after(write, state)))
                        .isPresent();
    }

    private static Batch.Write checked(Batch.Write write, Set<ObjectRef> leaving) {
        boolean hasToStay = write instanceof Batch.Revision
                && isRelevant(write)
                && !write.ref().equals(Admins.ROLE)
                && !leaving.contains(write.ref());
        return hasToStay ? stayingActive((Batch.Revision) write) : write;
    }

    private static Batch.Write stayingActive(Batch.Revision write) {
        return new Batch.Revision(write.ref(), new StayingActive(write.update()), write.form(), write.precondition());
    }

    /** Empty if the writes cannot take an admin away. */
    private Future<Optional<Admins.Evidence>> evidence(List<Batch.Write> relevant, Set<ObjectRef> leaving) {
        Optional<Batch.Write> role = relevant.stream()
                .filter(write -> write.ref().equals(Admins.ROLE))
                .findFirst();
        if (role.isEmpty() && leaving.isEmpty()) {
            return Future.succeededFuture(Optional.empty());
        }
        return role.map(write -> admins.requireOneWithout(leaving, before -> before.map(state -> after(write, state))
                        .orElseGet(() -> created(write))))
                .orElseGet(() -> admins.requireOneWithout(leaving))
                .map(Optional::of);
    }

    private static BsonDocument after(Batch.Write write, StoredObject before) {
        return write instanceof Batch.Revision revision
                ? revision.update().apply(before.document(), before.updatedAt())
                : created(write);
    }

    private static BsonDocument created(Batch.Write write) {
        return write instanceof Batch.Replacement replacement ? replacement.fields() : new BsonDocument();
    }

    /**
     * Deletes all objects of a class but those that have to stay.
     *
     * @param announcement publishes a part of them that was deleted
     */
    Future<Void> truncate(String bucket, long form, Function<List<Tombstone>, Future<?>> announcement) {
        return Admins.stayIn(bucket)
                ? ClassScan.eachPage(
                        store,
                        bucket,
                        DELETED_AT_ONCE,
                        page -> store.whenOpen(Set.of(bucket), () -> delete(page, form, announcement)))
                : store.truncate(bucket, form, deleted -> {
                    Future<?> unused = announcement.apply(deleted);
                });
    }

    private Future<List<Outcome>> delete(
            List<StoredObject> page, long form, Function<List<Tombstone>, Future<?>> announcement) {
        return admins.staying().compose(staying -> {
            Batch batch = deletion(page, staying, form);
            return store.commit(batch).onSuccess(outcomes -> {
                Future<?> unused = announcement.apply(tombstones(outcomes));
            });
        });
    }

    private Batch deletion(List<StoredObject> page, Admins.Staying staying, long form) {
        List<ObjectRef> leaving = page.stream()
                .map(StoredObject::ref)
                .filter(ref -> !staying.refs().contains(ref))
                .toList();
        List<Batch.Write> deletions = leaving.stream()
                .<Batch.Write>map(ref -> new Batch.Deletion(ref, form, Precondition.none()))
                .toList();
        return new CheckedWrites(deletions, List.of(staying.premise()), guard.writes(leaving))
                .batch(List.of(), List.of(), Principal.SERVER);
    }

    private static List<Tombstone> tombstones(List<Outcome> outcomes) {
        return outcomes.stream()
                .filter(Tombstone.class::isInstance)
                .map(Tombstone.class::cast)
                .toList();
    }
}
