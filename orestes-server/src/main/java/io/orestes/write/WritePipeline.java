package io.orestes.write;

import io.orestes.auth.rights.UserRepository;
import io.orestes.model.ObjectRef;
import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
import io.orestes.model.WriteOutcome;
import io.orestes.schema.SchemaRegistry;
import io.orestes.store.Batch;
import io.orestes.store.ClassScan;
import io.orestes.store.ObjectStore;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.bson.BsonDocument;

/**
 * The pipeline that every write of an object passes: authorize, validate, guard, commit,
 * invalidate, match, replicate and confirm. Each stage runs only if the one before it succeeded.
 * The store refuses a write that was checked by the schema from before a rewrite or the removal of
 * the class. A write that comes during the rewrite waits, and is checked by the new schema. A
 * committed write is never undone. A write is acknowledged when no cache of this group, for objects
 * or for queries, contains an earlier state. By then shared caches have confirmed that they removed
 * the object and the query results.
 */
public final class WritePipeline {

    private static final int REPUBLISH_BATCH_SIZE = 200;

    private final SchemaRegistry schemas;
    private final ObjectStore store;
    private final WritePublisher publisher;
    private final WriteAuthorizer authorizer;
    private final AdminLockoutGuard adminLockoutGuard;

    public WritePipeline(SchemaRegistry schemas, ObjectStore store, WritePublisher publisher) {
        this.schemas = schemas;
        this.store = store;
        this.publisher = publisher;
        this.authorizer = new WriteAuthorizer(schemas, store);
        this.adminLockoutGuard = new AdminLockoutGuard(store);
    }

    /**
     * Takes a write of one object through all stages. The store repeats them if the class is
     * rewritten, or the states that the guard found are changed, before the commit.
     *
     * @return the acknowledged write; none after the deletion of an absent object
     */
    private Future<List<WriteResult>> run(Principal principal, WriteRequest request) {
        return store.runFenced(Set.of(request.ref().bucket()), () -> Future.succeededFuture(request)
                .map(requested -> authorizer.authorize(principal, requested))
                .map(AuthorizedWrite::validate)
                .compose(this::guard)
                .compose(this::commit)
                .compose(committed -> publisher.trackEach(committed, write -> Future.succeededFuture(write)
                        .map(publisher::invalidate)
                        .map(publisher::match)
                        .compose(publisher::replicate)
                        .compose(publisher::confirm))));
    }

    /**
     * Checks that a write may be committed here: the other servers would receive it, and an active
     * admin remains after it.
     */
    private Future<CheckedWrite> guard(ValidatedWrite write) {
        publisher.requireMembership();
        return publisher.capturePrior(write.operation()).compose(prior -> adminLockoutGuard
                .check(List.of(write.operation()), write.principal())
                .map(checked -> new CheckedWrite(write, prior, checked)));
    }

    /** Commits a write; returns none after the deletion of an absent object. */
    private Future<List<CommittedWrite>> commit(CheckedWrite write) {
        ValidatedWrite validated = write.validated();
        return adminLockoutGuard
                .commit(write.checked(), validated.principal())
                .recover(failure -> Future.failedFuture(validated.request().explain(failure)))
                .map(committed -> committed.stream()
                        .map(outcome -> new CommittedWrite(outcome, write.prior()))
                        .toList());
    }

    /**
     * Inserts an object under the id in the body, or under a new one where there is none or the
     * server assigns ids. Fails with {@code OBJECT_EXISTS} if the id is taken, and with {@code
     * UNAVAILABLE} as {@link #replace} does, if a public object of that id was deleted.
     */
    public Future<WriteResult> insert(Principal principal, String bucket, BsonDocument body) {
        ObjectRef ref = ObjectIdRules.idIn(body, bucket).orElseGet(() -> ObjectIdRules.newRef(bucket));
        return run(principal, new WriteRequest.InsertRequest(ref, body)).map(WritePipeline::single);
    }

    /**
     * Refuses a user that {@link #insertUser} would refuse at present: users come into being by
     * registration only. Fails with {@code PERMISSION_DENIED} if the caller may not insert any.
     */
    public void requireAcceptableUser(Principal principal, BsonDocument body) {
        ObjectRef user = ObjectIdRules.newRef(UserRepository.BUCKET);
        var unused = authorizer
                .authorize(principal, new WriteRequest.RegistrationRequest(user, body, UnaryOperator.identity()))
                .validate();
    }

    /**
     * Inserts a user as {@link #insert} does other objects.
     *
     * @param completion adds the fields that the user does not choose to the fields as they are
     *     stored
     */
    public Future<StoredObject> insertUser(
            Principal principal, ObjectRef ref, BsonDocument body, UnaryOperator<BsonDocument> completion) {
        return run(principal, new WriteRequest.RegistrationRequest(ref, body, completion))
                .map(written -> single(written).stored());
    }

    /**
     * Replaces an object, or inserts it if there is none and the precondition allows that (protocol
     * §8.3). Fails with {@code UNAVAILABLE}, although it is committed, if shared caches may
     * continue to serve an object that it made private.
     */
    public Future<WriteResult> replace(
            Principal principal, ObjectRef ref, BsonDocument body, Precondition precondition) {
        return run(principal, new WriteRequest.ReplaceRequest(ref, body, precondition))
                .map(WritePipeline::single);
    }

    /**
     * Changes parts of an object (protocol §9); fails with {@code OBJECT_NOT_FOUND} if there is
     * none, else as {@code replace} does.
     */
    public Future<WriteResult> update(
            Principal principal, ObjectRef ref, BsonDocument operations, Precondition precondition) {
        return run(principal, new WriteRequest.UpdateRequest(ref, List.of(operations), precondition))
                .map(WritePipeline::single);
    }

    /** Deletes an object; succeeds for an absent one if the precondition allows that. */
    public Future<Void> delete(Principal principal, ObjectRef ref, Precondition precondition) {
        return run(principal, new WriteRequest.DeleteRequest(ref, precondition)).mapEmpty();
    }

    /** Executes one of several independent writes; empty after a deletion. */
    public Future<Optional<StoredObject>> write(Principal principal, WriteRequest request) {
        return run(principal, request).map(written -> written.stream()
                .flatMap(one -> one.outcome().storedObject().stream())
                .findFirst());
    }

    /**
     * Inserts or replaces an object for an import. Class permissions do not matter, because the
     * caller has checked them.
     */
    public Future<StoredObject> put(ObjectRef ref, BsonDocument body, Precondition precondition) {
        return run(Principal.SERVER, new WriteRequest.ImportRequest(ref, body, precondition))
                .map(written -> single(written).stored());
    }

    private static WriteResult single(List<WriteResult> written) {
        return written.get(0);
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
        reads.forEach(read -> authorizer.requireLoad(principal, read.ref()));
        List<Batch.StoreOperation> operations = writes.stream()
                .map(write -> authorizer.authorize(principal, write).validate().operation())
                .toList();
        Batch.InsertOperation commitRecord = record.apply(operations);
        publisher.requireMembership();
        Map<ObjectRef, Future<VisibilityReductionStage.PriorVisibility>> prior = new HashMap<>();
        operations.forEach(operation -> prior.put(operation.ref(), publisher.capturePrior(operation)));
        return adminLockoutGuard
                .check(operations, principal)
                .compose(checked -> Future.all(List.copyOf(prior.values())).map(checked))
                .compose(checked -> commit(checked, checked.batch(reads, List.of(commitRecord), principal)))
                .compose(outcomes ->
                        publisher.publishAll(committed(outcomes, prior)).map(outcomes));
    }

    private Future<List<WriteOutcome>> commit(AdminPreservingWrites checked, Batch batch) {
        return store.commit(batch).map(outcomes -> checked.ownOutcomes(batch, outcomes));
    }

    private static List<CommittedWrite> committed(
            List<WriteOutcome> outcomes, Map<ObjectRef, Future<VisibilityReductionStage.PriorVisibility>> prior) {
        return outcomes.stream()
                .map(outcome -> new CommittedWrite(
                        outcome,
                        Objects.requireNonNull(prior.get(outcome.ref())).result()))
                .toList();
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
        return store.find(ref).compose(found -> found.map(CommittedWrite::republished)
                .<Future<?>>map(publisher::publish)
                .orElseGet(Future::succeededFuture));
    }

    /**
     * Invalidates every copy of an older state of the class's objects, after the store rewrote them
     * all.
     */
    public Future<Void> republishClass(String bucket) {
        return ClassScan.eachPage(store, bucket, REPUBLISH_BATCH_SIZE, this::publishEach);
    }

    /**
     * Deletes every object of a class, except root, the built-in roles and the members of the role
     * admin. Returns the number of deleted objects. Class permissions do not matter. When it fails
     * half-way, caches and queries have received every deletion until then.
     */
    public Future<Integer> truncate(String bucket) {
        long schemaEpoch = store.schemaEpoch(bucket);
        String className = schemas.current().entity(bucket).name();
        return publishEachPart(publication -> adminLockoutGuard.truncate(className, schemaEpoch, publication));
    }

    /**
     * Drops a class that was removed from the schema, with all its objects and indexes. Writes that
     * were checked before the removal are refused.
     *
     * @param guard runs before each part; an exception of the guard ends the drop
     */
    public Future<Integer> drop(String bucket, Runnable guard) {
        return publishEachPart(publication -> store.drop(bucket, guard, publication::accept));
    }

    private Future<Integer> publishEachPart(Function<Consumer<List<? extends WriteOutcome>>, Future<Void>> deletion) {
        publisher.requireMembership();
        List<Future<Integer>> parts = new ArrayList<>();
        return deletion.apply(deleted -> parts.add(publishEach(deleted))).transform(done -> Future.join(parts)
                .compose(published ->
                        done.succeeded() ? Future.succeededFuture(sum(parts)) : Future.failedFuture(done.cause())));
    }

    private static int sum(List<Future<Integer>> parts) {
        return parts.stream().mapToInt(Future::result).sum();
    }

    /** Publishes writes that nobody waits for together, and returns their number. */
    private Future<Integer> publishEach(List<? extends WriteOutcome> outcomes) {
        return Future.join(outcomes.stream()
                        .map(CommittedWrite::of)
                        .<Future<?>>map(publisher::publish)
                        .toList())
                .map(outcomes.size());
    }
}
