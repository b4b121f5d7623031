package io.orestes.write;

import io.orestes.auth.AccessControl;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.schema.ClassOperation;
import io.orestes.schema.ClassSchema;
import io.orestes.schema.ObjectCodec;
import io.orestes.schema.SchemaRegistry;
import io.orestes.store.Batch;
import io.orestes.store.ObjectStore;
import io.orestes.store.Update;
import io.orestes.update.UpdateParser;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/**
 * The first stages of every write: may the caller do that with the class, and does what is written follow the schema. What
 * comes out is ready for the store, which refuses it if the class has another form by then.
 */
final class WriteChecks {

    /** Names of resources that every class has (protocol §3.2): an object of that key could not be loaded. */
    private static final Set<String> RESERVED_KEYS = Set.of("query", "count", "ids", "events", "bulk");

    private final SchemaRegistry schemas;
    private final ObjectStore store;

    WriteChecks(SchemaRegistry schemas, ObjectStore store) {
        this.schemas = schemas;
        this.store = store;
    }

    /** Of an object whose id nobody chose. */
    static ObjectRef newRef(String bucket) {
        return new ObjectRef(bucket, UUID.randomUUID().toString());
    }

    static boolean isReserved(String key) {
        return RESERVED_KEYS.contains(key);
    }

    Batch.Write check(Principal principal, WriteRequest request) {
        if (request instanceof WriteRequest.Insertion insertion) {
            return insertion(principal, insertion.ref(), insertion.body());
        }
        if (request instanceof WriteRequest.Replacement replacement) {
            return replacement(principal, replacement.ref(), replacement.body(), replacement.precondition());
        }
        if (request instanceof WriteRequest.Revision revision) {
            return revision(principal, revision.ref(), revision.updates(), revision.precondition());
        }
        return deletion(principal, request.ref(), ((WriteRequest.Deletion) request).precondition());
    }

    /** @param chosen by the writer; another one where the server assigns ids */
    Batch.Insertion insertion(Principal principal, ObjectRef chosen, BsonDocument body) {
        long form = store.form(chosen.bucket());
        ObjectCodec codec = schemas.codec();
        ClassSchema schema = codec.schema().entity(chosen.bucket());
        AccessControl.requireInsert(principal, schema);
        ObjectRef ref = AccessControl.hasAssignedIds(schema) ? newRef(chosen.bucket()) : chosen;
        requireFree(ref);
        return new Batch.Insertion(ref, codec.decode(schema, body), form);
    }

    /**
     * A replacement, or a revision where a missing object must not come into being by it, or a part of what there is stays; what
     * that fails with if there is none says {@link #withoutObject}.
     */
    Batch.Write replacement(Principal principal, ObjectRef ref, BsonDocument body, Precondition precondition) {
        long form = store.form(ref.bucket());
        ObjectCodec codec = schemas.codec();
        ClassSchema schema = codec.schema().entity(ref.bucket());
        schema.require(ClassOperation.UPDATE, principal);
        if (precondition.allows(Optional.empty()) && !AccessControl.isRegisteredOnly(schema)) {
            schema.require(ClassOperation.INSERT, principal);
        }
        requireFree(ref);
        requireSameId(body, ref);
        BsonDocument fields = codec.decode(schema, body);
        return AccessControl.mayInsertUnderId(principal, schema)
                ? new Batch.Replacement(ref, fields, form, precondition)
                : new Batch.Revision(ref, guarded(principal, ref, new Overwriting(fields)), form, precondition);
    }

    /** What a replace fails with that found no object to overwrite, and must not insert one. */
    ApiException withoutObject(ObjectRef ref, Precondition precondition, Throwable failure) {
        ApiException known = ApiException.of(failure);
        if (known.code() != ErrorCode.OBJECT_NOT_FOUND) {
            return known;
        }
        return precondition.allows(Optional.empty())
                ? new ApiException(
                        ErrorCode.PERMISSION_DENIED,
                        "Inserts of " + ref.bucket() + " objects under an id of one's choice are not allowed")
                : new ApiException(
                        ErrorCode.OBJECT_OUT_OF_DATE, "The object is out of date: " + ref.id() + " is not there");
    }

    private static Update guarded(Principal principal, ObjectRef ref, Update update) {
        return AccessControl.hasReadOnlyFields(principal, ref) ? new GuardedUpdate(update) : update;
    }

    /** Users come into being by registration only. */
    NewUser user(Principal principal, BsonDocument body) {
        long form = store.form(NewUser.BUCKET);
        ObjectCodec codec = schemas.codec();
        ClassSchema schema = codec.schema().entity(NewUser.BUCKET);
        schema.require(ClassOperation.INSERT, principal);
        return new NewUser(codec.decode(schema, body), form);
    }

    /** Class permissions do not matter: whoever imports saw to them. */
    Batch.Replacement imported(ObjectRef ref, BsonDocument body) {
        long form = store.form(ref.bucket());
        ObjectCodec codec = schemas.codec();
        ClassSchema schema = codec.schema().entity(ref.bucket());
        requireFree(ref);
        return new Batch.Replacement(ref, codec.decode(schema, body), form, Precondition.none());
    }

    Batch.Revision revision(Principal principal, ObjectRef ref, List<BsonDocument> updates, Precondition precondition) {
        long form = store.form(ref.bucket());
        ObjectCodec codec = schemas.codec();
        ClassSchema schema = codec.schema().entity(ref.bucket());
        schema.require(ClassOperation.UPDATE, principal);
        Update update = new ConstrainedUpdate(codec, schema, new UpdateParser(codec, schema).parse(updates));
        return new Batch.Revision(ref, guarded(principal, ref, update), form, precondition);
    }

    Batch.Deletion deletion(Principal principal, ObjectRef ref, Precondition precondition) {
        long form = store.form(ref.bucket());
        schemas.current().entity(ref.bucket()).require(ClassOperation.DELETE, principal);
        return new Batch.Deletion(ref, form, precondition);
    }

    void requireLoad(Principal principal, ObjectRef ref) {
        schemas.current().entity(ref.bucket()).require(ClassOperation.LOAD, principal);
    }

    /** The object a body names; fails with {@code BAD_REQUEST} if its id is none of this class. */
    static Optional<ObjectRef> idIn(BsonDocument body, String bucket) {
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

    private static void requireFree(ObjectRef ref) {
        if (isReserved(ref.key())) {
            throw new ApiException(ErrorCode.BAD_REQUEST, "The key is reserved: " + ref.key());
        }
    }

    private static void requireSameId(BsonDocument body, ObjectRef ref) {
        if (idIn(body, ref.bucket()).filter(id -> !id.equals(ref)).isPresent()) {
            throw new ApiException(ErrorCode.BAD_REQUEST, "The body's id is not the one of the path: " + ref.id());
        }
    }
}
