package io.orestes.write;

import io.invalidb.model.WriteOperation;
import io.orestes.auth.rights.RightsChange;
import io.orestes.caching.CacheInvalidator;
import io.orestes.invalidb.InvalidbClient;
import io.orestes.model.ObjectRef;
import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
import io.orestes.model.Tombstone;
import io.orestes.model.WriteOutcome;
import io.orestes.schema.SchemaRegistry;
import io.orestes.store.Batch;
import io.orestes.store.ClassScan;
import io.orestes.store.ObjectStore;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.bson.BsonDocument;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pipeline that every write of an object passes: validate, commit, invalidate, match, replicate
 * and confirm. Each stage runs only if the one before it succeeded. The store refuses a write that
 * was checked by the schema from before a rewrite or the removal of the class. A write that comes
 * during the rewrite waits, and is checked by the new schema. A committed write is never undone. A
 * write is acknowledged when no cache of this group, for objects or for queries, contains an
 * earlier state. By then shared caches have confirmed that they removed the object and the query
 * results.
 */
public final class WritePipeline {

    private static final Logger log = LoggerFactory.getLogger(WritePipeline.class);

    private static final int REPUBLISH_BATCH_SIZE = 200;

    private final SchemaRegistry schemas;
    private final ObjectStore store;
    private final CacheInvalidator caches;
    private final InvalidbClient matching;
    private final Consumer<WriteOutcome> afterCommit;
    private final WriteReplication replication;
    private final WriteValidator validator;
    private final VisibilityReduction visibilityReduction;
    private final AdminLockoutGuard adminLockoutGuard;

    /** Creates the pipeline of a single server. */
    public WritePipeline(
            SchemaRegistry schemas,
            ObjectStore store,
            CacheInvalidator caches,
            InvalidbClient matching,
            Consumer<WriteOutcome> afterCommit) {
        this(schemas, store, caches, matching, afterCommit, WriteReplication.NONE);
    }

    /**
     * @param afterCommit receives every committed write, of any server, before it is acknowledged;
     *     must be quick
     */
    public WritePipeline(
            SchemaRegistry schemas,
            ObjectStore store,
            CacheInvalidator caches,
            InvalidbClient matching,
            Consumer<WriteOutcome> afterCommit,
            WriteReplication others) {
        this.schemas = schemas;
        this.store = store;
        this.caches = caches;
        this.matching = matching;
        this.afterCommit = afterCommit;
        this.replication = others;
        this.validator = new WriteValidator(schemas, store);
        this.visibilityReduction = new VisibilityReduction(store, caches);
        this.adminLockoutGuard = new AdminLockoutGuard(store);
    }

    /**
     * Inserts an object under the id in the body, or under a new one where there is none or the
     * server assigns ids. Fails with {@code OBJECT_EXISTS} if the id is taken, and with {@code
     * UNAVAILABLE} as {@link #replace} does, if a public object of that id was deleted.
     */
    public Future<AcknowledgedWrite> insert(Principal principal, String bucket, BsonDocument body) {
        ObjectRef ref = idIn(body, bucket).orElseGet(() -> WriteValidator.newRef(bucket));
        return runFenced(ref, () -> insert(validator.checkInsert(principal, ref, body)));
    }

    /**
     * Delays the write while objects of the class are rewritten for another schema, which then
     * checks it.
     */
    private <T> Future<T> runFenced(ObjectRef ref, Supplier<Future<T>> write) {
        return store.runFenced(Set.of(ref.bucket()), write);
    }

    private Future<AcknowledgedWrite> insert(Batch.InsertOperation checked) {
        return commitAndPublish(checked, Principal.SERVER);
    }

    /**
     * Refuses a user that {@link #insertUser} would refuse at present: users come into being by
     * registration only. Fails with {@code PERMISSION_DENIED} if the caller may not insert any.
     */
    public void requireAcceptableUser(Principal principal, BsonDocument body) {
        var unused = validator.checkNewUser(principal, body);
    }

    /**
     * Inserts a user as {@link #insert} does other objects.
     *
     * @param completion adds the fields that the user does not choose to the fields as they are
     *     stored
     */
    public Future<StoredObject> insertUser(
            Principal principal, ObjectRef ref, BsonDocument body, UnaryOperator<BsonDocument> completion) {
        return runFenced(ref, () -> {
            WriteValidator.NewUser user = validator.checkNewUser(principal, body);
            return insert(new Batch.InsertOperation(ref, completion.apply(user.fields()), user.schemaEpoch()))
                    .map(AcknowledgedWrite::stored);
        });
    }

    /**
     * Replaces an object, or inserts it if there is none and the precondition allows that (protocol
     * §8.3). Fails with {@code UNAVAILABLE}, although it is committed, if shared caches may
     * continue to serve an object that it made private.
     */
    public Future<AcknowledgedWrite> replace(
            Principal principal, ObjectRef ref, BsonDocument body, Precondition precondition) {
        return runFenced(ref, () -> replaceNow(principal, ref, body, precondition));
    }

    private Future<AcknowledgedWrite> replaceNow(
            Principal principal, ObjectRef ref, BsonDocument body, Precondition precondition) {
        Batch.StoreOperation checked = validator.checkReplace(principal, ref, body, precondition);
        return checked instanceof Batch.ReplaceOperation
                ? commitAndPublish(checked, principal)
                : commitAndPublish(checked, principal)
                        .recover(failure ->
                                Future.failedFuture(WriteValidator.missingObjectError(ref, precondition, failure)));
    }

    /**
     * Changes parts of an object (protocol §9); fails with {@code OBJECT_NOT_FOUND} if there is
     * none, else as {@code replace} does.
     */
    public Future<AcknowledgedWrite> update(
            Principal principal, ObjectRef ref, BsonDocument operations, Precondition precondition) {
        return runFenced(
                ref,
                () -> commitAndPublish(
                        validator.checkUpdate(principal, ref, List.of(operations), precondition), principal));
    }

    /** Deletes an object; succeeds for an absent one if the precondition allows that. */
    public Future<Void> delete(Principal principal, ObjectRef ref, Precondition precondition) {
        return runFenced(ref, () -> delete(validator.checkDelete(principal, ref, precondition), principal));
    }

    private Future<Void> delete(Batch.DeleteOperation checked, Principal writer) {
        replication.requireMembership();
        return adminLockoutGuard.write(
                checked, writer, deleted -> deleted.map(writeOutcome -> publishDeletion((Tombstone) writeOutcome))
                        .orElseGet(Future::succeededFuture));
    }

    /** Executes one of several independent writes; empty after a deletion. */
    public Future<Optional<StoredObject>> write(Principal principal, WriteRequest request) {
        if (request instanceof WriteRequest.ReplaceRequest replacement) {
            return replace(principal, replacement.ref(), replacement.body(), replacement.precondition())
                    .map(written -> Optional.of(written.stored()));
        }
        return runFenced(request.ref(), () -> writeNow(principal, request));
    }

    private Future<Optional<StoredObject>> writeNow(Principal principal, WriteRequest request) {
        Batch.StoreOperation checked = validator.check(principal, request);
        if (checked instanceof Batch.DeleteOperation deletion) {
            return delete(deletion, principal).map(Optional.empty());
        }
        return (checked instanceof Batch.InsertOperation insertion
                        ? insert(insertion)
                        : commitAndPublish(checked, principal))
                .map(written -> Optional.of(written.stored()));
    }

    /**
     * Commits all of these writes or none, if the read set is still current. Each write fails as it
     * would alone. If objects changed meanwhile it fails with {@code OBJECT_OUT_OF_DATE}, and its
     * data names them all as {@code stale}.
     *
     * @param record creates from the checked writes a record that is inserted with them and not
     *     published
     * @return the outcomes of the writes, in order
     */
    public Future<List<WriteOutcome>> commit(
            Principal principal,
            List<Batch.ReadSetEntry> reads,
            List<WriteRequest> writes,
            Function<List<Batch.StoreOperation>, Batch.InsertOperation> record) {
        Set<String> buckets =
                writes.stream().map(write -> write.ref().bucket()).collect(Collectors.toUnmodifiableSet());
        return store.runFenced(buckets, () -> commitNow(principal, reads, writes, record));
    }

    private Future<List<WriteOutcome>> commitNow(
            Principal principal,
            List<Batch.ReadSetEntry> reads,
            List<WriteRequest> writes,
            Function<List<Batch.StoreOperation>, Batch.InsertOperation> record) {
        reads.forEach(read -> validator.requireLoad(principal, read.ref()));
        List<Batch.StoreOperation> checked =
                writes.stream().map(write -> validator.check(principal, write)).toList();
        Batch.InsertOperation commitRecord = record.apply(checked);
        replication.requireMembership();
        Map<ObjectRef, Future<VisibilityReduction.PriorVisibility>> before = new HashMap<>();
        checked.forEach(write -> before.put(write.ref(), visibilityReduction.capturePrior(write)));
        return adminLockoutGuard
                .check(checked, principal)
                .compose(safe -> Future.all(List.copyOf(before.values())).map(safe))
                .compose(safe -> commit(safe, safe.batch(reads, List.of(commitRecord), principal), before));
    }

    private Future<List<WriteOutcome>> commit(
            AdminCheckedWrites writes,
            Batch batch,
            Map<ObjectRef, Future<VisibilityReduction.PriorVisibility>> before) {
        return store.commit(batch).map(all -> writes.ownOutcomes(batch, all)).compose(outcomes -> {
            Future<?> announced = matching.unacknowledgedWrites().track(outcomes, () -> publishAll(outcomes, before));
            return announced.map(outcomes);
        });
    }

    /**
     * Publishes the present states of objects that may not have been published; succeeds when all
     * caches, queries and servers have applied them. Fails with {@code UNAVAILABLE} if shared
     * caches may still serve an object that one of the states hides.
     */
    public Future<?> republish(List<ObjectRef> written) {
        return Future.join(written.stream().<Future<?>>map(this::republish).toList());
    }

    private Future<?> republish(ObjectRef ref) {
        return store.find(ref).compose(found -> found.<Future<?>>map(
                        stored -> publishState(VisibilityReduction.PriorVisibility.forRepublication(stored), stored))
                .orElseGet(Future::succeededFuture));
    }

    /**
     * Publishes a write that no server announced; succeeds when all caches, queries and servers
     * have applied it.
     */
    public Future<Void> publish(WriteOutcome writeOutcome) {
        return Future.<Void>succeededFuture().compose(now -> {
            replication.requireMembership();
            return writeOutcome instanceof StoredObject stored
                    ? publishState(stored).mapEmpty()
                    : publishDeletion((Tombstone) writeOutcome);
        });
    }

    /**
     * Publishes outcomes in order, but users and roles first: clients that lose rights must not
     * receive the rest. Publishes all of them, whether or not others fail.
     */
    private Future<Void> publishAll(
            List<WriteOutcome> outcomes, Map<ObjectRef, Future<VisibilityReduction.PriorVisibility>> before) {
        List<Future<?>> told = new ArrayList<>();
        outcomes.stream()
                .sorted(Comparator.comparing(
                        writeOutcome -> RightsChange.of(writeOutcome).isEmpty()))
                .forEach(writeOutcome -> told.add(publishOutcome(
                        writeOutcome,
                        Objects.requireNonNull(before.get(writeOutcome.ref())).result())));
        return Future.join(told).mapEmpty();
    }

    private Future<?> publishOutcome(WriteOutcome writeOutcome, VisibilityReduction.PriorVisibility before) {
        return writeOutcome instanceof StoredObject stored
                ? publishState(before, stored)
                : publishDeletion((Tombstone) writeOutcome);
    }

    /**
     * Inserts or replaces an object for an import. Class permissions do not matter, because the
     * caller has checked them.
     */
    public Future<StoredObject> put(ObjectRef ref, BsonDocument body, Precondition precondition) {
        return runFenced(ref, () -> commitAndPublish(validator.checkImport(ref, body, precondition), Principal.SERVER)
                .map(AcknowledgedWrite::stored));
    }

    /**
     * Deletes every object of a class, except root, the built-in roles and the members of the role
     * admin. Returns the number of deleted objects. Class permissions do not matter. When it fails
     * half-way, caches and queries have received every deletion until then.
     */
    public Future<Integer> truncate(String bucket) {
        long schemaEpoch = store.schemaEpoch(bucket);
        String className = schemas.current().entity(bucket).name();
        return publishEachPart(announcement -> adminLockoutGuard.truncate(className, schemaEpoch, announcement));
    }

    /**
     * Drops a class that was removed from the schema, with all its objects and indexes. Writes that
     * were checked before the removal are refused.
     *
     * @param guard runs before each part; an exception of the guard ends the drop
     */
    public Future<Integer> drop(String bucket, Runnable guard) {
        return publishEachPart(announcement -> store.drop(bucket, guard, deleted -> {
            Future<?> unused = announcement.apply(deleted);
        }));
    }

    private Future<Integer> publishEachPart(Function<Function<List<Tombstone>, Future<?>>, Future<Void>> deletion) {
        replication.requireMembership();
        List<Future<Integer>> parts = new ArrayList<>();
        Function<List<Tombstone>, Future<?>> announcement = deleted -> {
            Future<Integer> part = publishDeletions(deleted);
            parts.add(part);
            return part;
        };
        return deletion.apply(announcement).transform(done -> Future.join(parts)
                .compose(told ->
                        done.succeeded() ? Future.succeededFuture(sum(parts)) : Future.failedFuture(done.cause())));
    }

    private static int sum(List<Future<Integer>> parts) {
        return parts.stream().mapToInt(Future::result).sum();
    }

    /**
     * Invalidates every copy of an older state of the class's objects, after the store rewrote them
     * all.
     */
    public Future<Void> republishClass(String bucket) {
        return ClassScan.eachPage(
                store,
                bucket,
                REPUBLISH_BATCH_SIZE,
                page -> Future.join(
                        page.stream().<Future<?>>map(this::publishState).toList()));
    }

    /** Commits a write that leaves an object, and publishes the state. */
    private Future<AcknowledgedWrite> commitAndPublish(Batch.StoreOperation checked, Principal writer) {
        replication.requireMembership();
        return visibilityReduction
                .capturePrior(checked)
                .compose(before -> adminLockoutGuard.write(
                        checked,
                        writer,
                        writeOutcome -> publishState(before, (StoredObject) writeOutcome.orElseThrow())));
    }

    private Future<AcknowledgedWrite> publishState(StoredObject stored) {
        return publishState(VisibilityReduction.PriorVisibility.IRRELEVANT, stored);
    }

    private Future<AcknowledgedWrite> publishState(VisibilityReduction.PriorVisibility before, StoredObject stored) {
        return matching.unacknowledgedWrites().track(List.of(stored), () -> replication
                .replicate(stored, applyLocally(stored))
                .compose(kept -> visibilityReduction
                        .awaitConfirmation(before, stored)
                        .map(new AcknowledgedWrite(stored, kept))));
    }

    private Future<Integer> publishDeletions(List<Tombstone> deleted) {
        return Future.join(
                        deleted.stream().<Future<?>>map(this::publishDeletion).toList())
                .map(deleted.size());
    }

    private Future<Void> publishDeletion(Tombstone deleted) {
        return matching.unacknowledgedWrites().track(List.of(deleted), () -> replication
                .replicate(deleted, applyLocally(deleted))
                .compose(kept -> caches.awaitInvalidated()));
    }

    /**
     * Publishes a committed write of any server to this server's caches and queries; idempotent.
     * The shared caches may be {@link CacheInvalidator#awaitInvalidated} later.
     *
     * @return time for which the results of the object's class that this server cached have not
     *     changed; empty if they may have. Never fails
     */
    public Future<Optional<Duration>> applyLocally(WriteOutcome writeOutcome) {
        afterCommit.accept(writeOutcome);
        return writeOutcome instanceof StoredObject stored
                ? applyStateLocally(stored)
                : applyDeletionLocally((Tombstone) writeOutcome);
    }

    private Future<Optional<Duration>> applyStateLocally(StoredObject stored) {
        boolean isNew = stored.version() == 1;
        if (isNew) {
            caches.objectInserted(stored.ref().id());
        } else {
            caches.objectWritten(stored.ref().id());
        }
        WriteOperation writeOperation = isNew ? WriteOperation.INSERT : WriteOperation.UPDATE;
        return unchangedResultsAfter(stored.ref(), () -> matching.publish(stored, writeOperation));
    }

    private Future<Optional<Duration>> applyDeletionLocally(Tombstone deleted) {
        caches.objectWritten(deleted.ref().id());
        return unchangedResultsAfter(deleted.ref(), () -> matching.publish(deleted));
    }

    private Future<Optional<Duration>> unchangedResultsAfter(ObjectRef ref, Supplier<Future<Void>> publication) {
        long changes = caches.results().count(ref.bucket());
        return awaitMatching(ref, publication.get())
                .map(matched -> matched ? caches.results().unchangedSince(ref.bucket(), changes) : Optional.empty());
    }

    /**
     * Returns whether the write was matched. It stays committed whatever the outcome of its
     * publication.
     */
    private static Future<Boolean> awaitMatching(ObjectRef ref, Future<Void> publication) {
        return publication.map(true).otherwise(failure -> {
            log.error("The write of {} was committed but not matched", ref.id(), failure);
            return false;
        });
    }

    /** True if no object can have that key. */
    public static boolean isReserved(String key) {
        return WriteValidator.isReserved(key);
    }

    /**
     * Returns the object that a body names; fails with {@code BAD_REQUEST} if its id is none of
     * this class.
     */
    public static Optional<ObjectRef> idIn(BsonDocument body, String bucket) {
        return WriteValidator.refNamedIn(body, bucket);
    }
}
