package io.orestes.write;

import io.invalidb.model.Operation;
import io.orestes.caching.Caches;
import io.orestes.model.ObjectRef;
import io.orestes.model.Outcome;
import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
import io.orestes.model.Tombstone;
import io.orestes.realtime.QueryMatching;
import io.orestes.schema.SchemaRegistry;
import io.orestes.store.Batch;
import io.orestes.store.ClassScan;
import io.orestes.store.ObjectStore;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.bson.BsonDocument;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one path every object write takes: permission, validation, commit, caches, matching, and a word from
 * the shared caches that they have forgotten the object and the query results. Each stage runs only if the one
 * before it succeeded. The store refuses what was checked by the schema from before a rewriting or the removal of the class.
 * Once the store has committed the write stands. A write is answered when no cache of ours, for objects or for queries,
 * holds a state from before it.
 */
public final class WritePipeline {

    private static final Logger log = LoggerFactory.getLogger(WritePipeline.class);

    private static final int REWRITTEN_AT_ONCE = 200;

    private final SchemaRegistry schemas;
    private final ObjectStore store;
    private final Caches caches;
    private final QueryMatching matching;
    private final Consumer<ObjectRef> afterCommit;
    private final WriteChecks checks;
    private final Hiding hiding;

    /** @param afterCommit told of every object that was written, before the write is answered; must be quick */
    public WritePipeline(
            SchemaRegistry schemas,
            ObjectStore store,
            Caches caches,
            QueryMatching matching,
            Consumer<ObjectRef> afterCommit) {
        this.schemas = schemas;
        this.store = store;
        this.caches = caches;
        this.matching = matching;
        this.afterCommit = afterCommit;
        this.checks = new WriteChecks(schemas, store);
        this.hiding = new Hiding(store, caches);
    }

    /**
     * Inserts an object under the id in the body, or under a new one where there is none or the server assigns ids; fails with
     * {@code OBJECT_EXISTS} if it is taken, and with {@code UNAVAILABLE} as {@link #replace} does, if a public object of that
     * id was deleted.
     */
    public Future<Written> insert(Principal principal, String bucket, BsonDocument body) {
        ObjectRef ref = idIn(body, bucket).orElseGet(() -> WriteChecks.newRef(bucket));
        return insert(checks.insertion(principal, ref, body));
    }

    private Future<Written> insert(Batch.Insertion checked) {
        return written(checked, () -> store.insert(checked.ref(), checked.fields(), checked.form()));
    }

    /**
     * The fields of a user to be, checked: users come into being by registration only. Fails with {@code PERMISSION_DENIED}
     * if the caller may not insert any.
     */
    public NewUser checkUser(Principal principal, BsonDocument body) {
        return checks.user(principal, body);
    }

    /** Inserts a user, whoever asks. */
    public Future<StoredObject> insertUser(ObjectRef ref, NewUser user) {
        return insert(new Batch.Insertion(ref, user.fields(), user.form())).map(Written::stored);
    }

    /**
     * Replaces an object, or inserts it if there is none and no condition is made (protocol §8.3). Fails with
     * {@code UNAVAILABLE}, although it is committed, if shared caches may go on to serve an object that it made private.
     */
    public Future<Written> replace(Principal principal, ObjectRef ref, BsonDocument body, Precondition precondition) {
        Batch.Write checked = checks.replacement(principal, ref, body, precondition);
        return checked instanceof Batch.Replacement replacement
                ? replace(replacement, principal)
                : update((Batch.Revision) checked, principal)
                        .recover(failure -> Future.failedFuture(WriteChecks.withoutObject(ref, precondition, failure)));
    }

    private Future<Written> replace(Batch.Replacement checked, Principal writer) {
        return written(
                checked,
                () -> store.replace(checked.ref(), checked.fields(), checked.form(), checked.precondition(), writer));
    }

    /**
     * Changes parts of an object (protocol §9); fails with {@code OBJECT_NOT_FOUND} if there is none, else as
     * {@code replace} does.
     */
    public Future<Written> update(
            Principal principal, ObjectRef ref, BsonDocument operations, Precondition precondition) {
        return update(checks.revision(principal, ref, List.of(operations), precondition), principal);
    }

    private Future<Written> update(Batch.Revision checked, Principal writer) {
        return written(
                checked,
                () -> store.update(checked.ref(), checked.update(), checked.form(), checked.precondition(), writer));
    }

    /** Deletes an object; succeeds without one if no condition is made. */
    public Future<Void> delete(Principal principal, ObjectRef ref, Precondition precondition) {
        return delete(checks.deletion(principal, ref, precondition), principal);
    }

    private Future<Void> delete(Batch.Deletion checked, Principal writer) {
        return store.delete(checked.ref(), checked.form(), checked.precondition(), writer)
                .compose(deleted -> deleted.isPresent() ? gone(deleted.get()) : Future.succeededFuture());
    }

    /** Does one of several writes that do not depend on each other; nothing is left after a deletion. */
    public Future<Optional<StoredObject>> write(Principal principal, WriteRequest request) {
        if (request instanceof WriteRequest.Replacement replacement) {
            return replace(principal, replacement.ref(), replacement.body(), replacement.precondition())
                    .map(written -> Optional.of(written.stored()));
        }
        Batch.Write checked = checks.check(principal, request);
        if (checked instanceof Batch.Deletion deletion) {
            return delete(deletion, principal).map(Optional.empty());
        }
        return (checked instanceof Batch.Insertion insertion
                        ? insert(insertion)
                        : update((Batch.Revision) checked, principal))
                .map(written -> Optional.of(written.stored()));
    }

    /**
     * Does all of these writes or none, if everything read is still so; each fails as it would alone. Objects that changed
     * meanwhile fail it with {@code OBJECT_OUT_OF_DATE}, and its data names them all as {@code stale}.
     */
    public Future<List<Outcome>> commit(Principal principal, List<Batch.Read> reads, List<WriteRequest> writes) {
        reads.forEach(read -> checks.requireLoad(principal, read.ref()));
        List<Batch.Write> checked =
                writes.stream().map(write -> checks.check(principal, write)).toList();
        Map<ObjectRef, Future<Hiding.Before>> before = new HashMap<>();
        checked.forEach(write -> before.put(write.ref(), hiding.before(write)));
        return Future.all(List.copyOf(before.values()))
                .compose(known -> store.commit(new Batch(reads, checked, principal)))
                .compose(outcomes -> announced(outcomes, before).map(outcomes));
    }

    /** In order; all are told of whatever becomes of the others. */
    private Future<?> announced(List<Outcome> outcomes, Map<ObjectRef, Future<Hiding.Before>> before) {
        List<Future<?>> told = new ArrayList<>();
        outcomes.forEach(outcome -> told.add(announced(
                outcome, Objects.requireNonNull(before.get(outcome.ref())).result())));
        return Future.join(told);
    }

    private Future<?> announced(Outcome outcome, Hiding.Before before) {
        return outcome instanceof StoredObject stored ? written(before, stored) : gone((Tombstone) outcome);
    }

    /** Puts an object in place of whatever is there, for imports; class permissions do not matter, the caller saw to them. */
    public Future<StoredObject> put(ObjectRef ref, BsonDocument body) {
        return replace(checks.imported(ref, body), Principal.SERVER).map(Written::stored);
    }

    /**
     * Deletes every object of a class and returns how many there were; class permissions do not matter. When it fails
     * half-way, caches and queries know of every object that is gone by then.
     */
    public Future<Integer> truncate(String bucket) {
        long form = store.form(bucket);
        String known = schemas.current().entity(bucket).name();
        return told(deleted -> store.truncate(known, form, deleted));
    }

    /** Does the same to a class that is no more, with its indexes and all that was checked before it went. */
    public Future<Integer> drop(String bucket) {
        return told(deleted -> store.drop(bucket, deleted));
    }

    private Future<Integer> told(Function<Consumer<List<Tombstone>>, Future<Void>> deletion) {
        List<Future<Integer>> parts = new ArrayList<>();
        return deletion.apply(deleted -> parts.add(gone(deleted))).transform(done -> Future.join(parts)
                .compose(told ->
                        done.succeeded() ? Future.succeededFuture(sum(parts)) : Future.failedFuture(done.cause())));
    }

    private static int sum(List<Future<Integer>> parts) {
        return parts.stream().mapToInt(Future::result).sum();
    }

    /** Has every copy of an older state of the class's objects given up, after the store rewrote them all. */
    public Future<Void> rewritten(String bucket) {
        return ClassScan.eachPage(
                store,
                bucket,
                REWRITTEN_AT_ONCE,
                page -> Future.join(page.stream().<Future<?>>map(this::written).toList()));
    }

    private Future<Written> written(Batch.Write checked, Supplier<Future<StoredObject>> commit) {
        return hiding.before(checked).compose(before -> commit.get().compose(stored -> written(before, stored)));
    }

    private Future<Written> written(StoredObject stored) {
        return written(Hiding.Before.IRRELEVANT, stored);
    }

    private Future<Written> written(Hiding.Before before, StoredObject stored) {
        afterCommit.accept(stored.ref());
        boolean isNew = stored.version() == 1;
        if (isNew) {
            caches.objectInserted(stored.ref().id());
        } else {
            caches.objectWritten(stored.ref().id());
        }
        Operation operation = isNew ? Operation.INSERT : Operation.UPDATE;
        String bucket = stored.ref().bucket();
        long changes = caches.results().count(bucket);
        return published(stored.ref(), matching.publish(stored, operation))
                .map(matched -> matched ? caches.results().keptSince(bucket, changes) : Optional.<Duration>empty())
                .compose(kept -> hiding.settled(before, stored).map(new Written(stored, kept)));
    }

    private Future<Integer> gone(List<Tombstone> deleted) {
        return Future.join(deleted.stream().<Future<?>>map(this::gone).toList()).map(deleted.size());
    }

    private Future<Void> gone(Tombstone deleted) {
        afterCommit.accept(deleted.ref());
        caches.objectWritten(deleted.ref().id());
        return published(deleted.ref(), matching.publish(deleted)).compose(matched -> caches.settled());
    }

    /** The write is committed whatever happens to its publication; tells whether it was matched. */
    private static Future<Boolean> published(ObjectRef ref, Future<Void> publication) {
        return publication.map(true).otherwise(failure -> {
            log.error("The write of {} was committed but not matched", ref.id(), failure);
            return false;
        });
    }

    /** Whether no object can have that key. */
    public static boolean isReserved(String key) {
        return WriteChecks.isReserved(key);
    }

    /** The object a body names; fails with {@code BAD_REQUEST} if its id is none of this class. */
    public static Optional<ObjectRef> idIn(BsonDocument body, String bucket) {
        return WriteChecks.idIn(body, bucket);
    }
}
