package io.orestes.write;

import io.invalidb.model.Operation;
import io.orestes.auth.AccessControl;
import io.orestes.caching.Caches;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
import io.orestes.model.Tombstone;
import io.orestes.realtime.QueryMatching;
import io.orestes.schema.ClassOperation;
import io.orestes.schema.ClassSchema;
import io.orestes.schema.SchemaRegistry;
import io.orestes.store.ObjectStore;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import org.bson.BsonDocument;
import org.bson.BsonValue;
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

    /** Names of resources that every class has (protocol §3.2): an object of that key could not be loaded. */
    private static final Set<String> RESERVED_KEYS = Set.of("query", "count", "ids", "events");

    private static final int REWRITTEN_AT_ONCE = 200;

    private final SchemaRegistry schemas;
    private final ObjectStore store;
    private final Caches caches;
    private final QueryMatching matching;
    private final Consumer<ObjectRef> afterCommit;
    private final Hiding hiding;
    private final GuardedReplaces guarded;

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
        this.hiding = new Hiding(store, caches);
        this.guarded = new GuardedReplaces(store);
    }

    /**
     * Inserts an object under the id in the body, or under a new one where there is none or the server assigns ids; fails with
     * {@code OBJECT_EXISTS} if it is taken, and with {@code UNAVAILABLE} as {@link #replace} does, if a public object of that
     * id was deleted.
     */
    public Future<Written> insert(Principal principal, String bucket, BsonDocument body) {
        long form = store.form(bucket);
        ClassSchema schema = schemas.current().entity(bucket);
        AccessControl.requireInsert(principal, schema);
        ObjectRef ref = idIn(body, bucket)
                .filter(chosen -> !AccessControl.hasAssignedIds(schema))
                .orElseGet(() -> new ObjectRef(bucket, UUID.randomUUID().toString()));
        requireFree(ref);
        BsonDocument fields = schemas.codec().decode(schema, body);
        Hiding.Before before = hiding.beforeInsert(ref, fields);
        return store.insert(ref, fields, form).compose(stored -> written(before, stored));
    }

    /**
     * Replaces an object, or inserts it if there is none and no condition is made (protocol §8.3). Fails with
     * {@code UNAVAILABLE}, although it is committed, if shared caches may go on to serve an object that it made private.
     */
    public Future<Written> replace(Principal principal, ObjectRef ref, BsonDocument body, Precondition precondition) {
        long form = store.form(ref.bucket());
        ClassSchema schema = schemas.current().entity(ref.bucket());
        schema.require(ClassOperation.UPDATE, principal);
        if (precondition.allows(Optional.empty()) && !AccessControl.isRegisteredOnly(schema)) {
            schema.require(ClassOperation.INSERT, principal);
        }
        requireFree(ref);
        requireSameId(body, ref);
        BsonDocument fields = schemas.codec().decode(schema, body);
        return guarded.replace(
                new GuardedReplaces.Wanted(principal, schema, ref, fields, precondition),
                (kept, condition) -> replace(ref, kept, form, condition, principal));
    }

    /**
     * The fields of a user to be, checked: users come into being by registration only. Fails with {@code PERMISSION_DENIED}
     * if the caller may not insert any.
     */
    public NewUser checkUser(Principal principal, BsonDocument body) {
        long form = store.form(NewUser.BUCKET);
        ClassSchema schema = schemas.current().entity(NewUser.BUCKET);
        schema.require(ClassOperation.INSERT, principal);
        return new NewUser(schemas.codec().decode(schema, body), form);
    }

    /** Inserts a user, whoever asks. */
    public Future<StoredObject> insertUser(ObjectRef ref, NewUser user) {
        return store.insert(ref, user.fields(), user.form())
                .compose(this::written)
                .map(Written::stored);
    }

    private Future<Written> replace(
            ObjectRef ref, BsonDocument fields, long form, Precondition precondition, Principal writer) {
        return hiding.before(ref, fields).compose(before -> store.replace(ref, fields, form, precondition, writer)
                .compose(stored -> written(before, stored)));
    }

    /** Deletes an object; succeeds without one if no condition is made. */
    public Future<Void> delete(Principal principal, ObjectRef ref, Precondition precondition) {
        long form = store.form(ref.bucket());
        schemas.current().entity(ref.bucket()).require(ClassOperation.DELETE, principal);
        return store.delete(ref, form, precondition, principal)
                .compose(deleted -> deleted.isPresent() ? gone(deleted.get()) : Future.succeededFuture());
    }

    /** Puts an object in place of whatever is there, for imports; class permissions do not matter, the caller saw to them. */
    public Future<StoredObject> put(ObjectRef ref, BsonDocument body) {
        long form = store.form(ref.bucket());
        ClassSchema schema = schemas.current().entity(ref.bucket());
        requireFree(ref);
        return replace(ref, schemas.codec().decode(schema, body), form, Precondition.none(), Principal.SERVER)
                .map(Written::stored);
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
        return rewritten(bucket, "");
    }

    private Future<Void> rewritten(String bucket, String after) {
        return store.scan(bucket, after, REWRITTEN_AT_ONCE)
                .compose(page -> page.isEmpty()
                        ? Future.succeededFuture()
                        : Future.join(page.stream()
                                        .<Future<?>>map(this::written)
                                        .toList())
                                .compose(done -> rewritten(
                                        bucket, page.get(page.size() - 1).ref().id())));
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

    private static void requireFree(ObjectRef ref) {
        if (RESERVED_KEYS.contains(ref.key())) {
            throw new ApiException(ErrorCode.BAD_REQUEST, "The key is reserved: " + ref.key());
        }
    }

    private static void requireSameId(BsonDocument body, ObjectRef ref) {
        if (idIn(body, ref.bucket()).filter(id -> !id.equals(ref)).isPresent()) {
            throw new ApiException(ErrorCode.BAD_REQUEST, "The body's id is not the one of the path: " + ref.id());
        }
    }

    /** The object a body names; fails with {@code BAD_REQUEST} if its id is none of this class. */
    public static Optional<ObjectRef> idIn(BsonDocument body, String bucket) {
        BsonValue id = body.get("id");
        if (id == null || id.isNull()) {
            return Optional.empty();
        }
        Optional<ObjectRef> ref = id.isString() ? ObjectRef.parse(id.asString().getValue()) : Optional.empty();
        if (ref.isEmpty() || !ref.get().bucket().equals(bucket)) {
            throw new ApiException(
                    ErrorCode.BAD_REQUEST,
                    "Not the id of an object of the class " + bucket + "; " + ObjectRef.KEY_RULE);
        }
        return ref;
    }
}
