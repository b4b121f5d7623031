package io.orestes.write;

import io.orestes.auth.account.UserRegistration;
import io.orestes.auth.rights.AccessControl;
import io.orestes.auth.rights.AdminInvariant;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.schema.SchemaRegistry;
import io.orestes.schema.codec.ObjectCodec;
import io.orestes.schema.model.ClassOperation;
import io.orestes.schema.model.ClassSchema;
import io.orestes.store.Batch;
import io.orestes.store.ObjectStore;
import io.orestes.store.UpdateFunction;
import io.orestes.update.UpdateParser;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/**
 * The validator of writes: class permissions, schema and reserved keys. It is the first stage of
 * every write and does not access the store's objects. The store refuses its result if the schema
 * epoch of the class has changed by then.
 */
final class WriteValidator {

    /**
     * Names of resources that every class has (protocol §3.2): an object with such a key could not
     * be loaded.
     */
    private static final Set<String> RESERVED_KEYS = Set.of("query", "count", "ids", "events", "bulk");

    private static final String USERS = "User";

    private final SchemaRegistry schemas;
    private final ObjectStore store;

    WriteValidator(SchemaRegistry schemas, ObjectStore store) {
        this.schemas = schemas;
        this.store = store;
    }

    /** Creates the reference of an object whose id nobody chose. */
    static ObjectRef newRef(String bucket) {
        return new ObjectRef(bucket, UUID.randomUUID().toString());
    }

    static boolean isReserved(String key) {
        return RESERVED_KEYS.contains(key);
    }

    Batch.StoreOperation check(Principal principal, WriteRequest request) {
        if (request instanceof WriteRequest.InsertRequest insert) {
            return checkInsert(principal, insert.ref(), insert.body());
        }
        if (request instanceof WriteRequest.ReplaceRequest replace) {
            return checkReplace(principal, replace.ref(), replace.body(), replace.precondition());
        }
        if (request instanceof WriteRequest.UpdateRequest update) {
            return checkUpdate(principal, update.ref(), update.updates(), update.precondition());
        }
        return checkDelete(principal, request.ref(), ((WriteRequest.DeleteRequest) request).precondition());
    }

    /**
     * @param chosen reference that the writer chose; another one is used where the server assigns
     *     ids
     */
    Batch.InsertOperation checkInsert(Principal principal, ObjectRef chosen, BsonDocument body) {
        WriteRules rules = rules(chosen.bucket());
        AccessControl.requireInsert(principal, rules.type);
        ObjectRef ref = AccessControl.hasAssignedIds(rules.type) ? newRef(chosen.bucket()) : chosen;
        requireUnreservedKey(ref);
        return new Batch.InsertOperation(ref, rules.decode(body), rules.schemaEpoch);
    }

    /**
     * Checks a replacement. The result is an update if the write must not insert a missing object,
     * because an update can also preserve read-only fields. {@link #missingObjectError} translates
     * the failure of that update for a missing object.
     */
    Batch.StoreOperation checkReplace(
            Principal principal, ObjectRef ref, BsonDocument body, Precondition precondition) {
        WriteRules rules = rules(ref.bucket());
        rules.type.require(ClassOperation.UPDATE, principal);
        if (precondition.allows(Optional.empty()) && !AccessControl.isRegisteredOnly(rules.type)) {
            rules.type.require(ClassOperation.INSERT, principal);
        }
        requireUnreservedKey(ref);
        requireSameId(body, ref);
        BsonDocument fields = rules.decode(body);
        return AccessControl.mayInsertUnderId(principal, rules.type)
                ? new Batch.ReplaceOperation(ref, fields, rules.schemaEpoch, precondition)
                : new Batch.UpdateOperation(
                        ref, guardUpdate(principal, ref, new ReplaceUpdate(fields)), rules.schemaEpoch, precondition);
    }

    /**
     * Translates the failure of a replace that found no object and must not insert one; other
     * failures stay as they are.
     */
    static ApiException missingObjectError(ObjectRef ref, Precondition precondition, Throwable failure) {
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

    private WriteRules rules(String bucket) {
        long schemaEpoch = store.schemaEpoch(bucket);
        ObjectCodec codec = schemas.codec();
        return new WriteRules(schemaEpoch, codec, codec.schema().entity(bucket));
    }

    /**
     * The rules by which a write is checked.
     *
     * @param schemaEpoch schema epoch of the class, read before the schema: if the epoch changes in
     *     between, the store refuses the write
     */
    private record WriteRules(long schemaEpoch, ObjectCodec codec, ClassSchema type) {

        private BsonDocument decode(BsonDocument body) {
            return codec.decode(type, body);
        }

        private UpdateFunction parse(List<BsonDocument> updates) {
            return new ConstrainedUpdate(codec, type, new UpdateParser(codec, type).parse(updates));
        }
    }

    private static UpdateFunction guardUpdate(Principal principal, ObjectRef ref, UpdateFunction updateFunction) {
        if (AccessControl.hasReadOnlyFields(principal, ref)) {
            return new ReadOnlyFieldsUpdate(updateFunction);
        }
        return ref.bucket().equals(USERS) ? new UserNameValidatingUpdate(updateFunction) : updateFunction;
    }

    /**
     * A user to be registered.
     *
     * @param fields as they are stored
     * @param schemaEpoch schema epoch of the class when they were checked
     */
    record NewUser(BsonDocument fields, long schemaEpoch) {}

    /** Checks a user: users come into being by registration only. */
    NewUser checkNewUser(Principal principal, BsonDocument body) {
        WriteRules rules = rules(USERS);
        rules.type.require(ClassOperation.INSERT, principal);
        return new NewUser(rules.decode(body), rules.schemaEpoch);
    }

    /**
     * Checks an imported object. Class permissions do not matter, because the importer has checked
     * them.
     */
    Batch.ReplaceOperation checkImport(ObjectRef ref, BsonDocument body, Precondition precondition) {
        WriteRules rules = rules(ref.bucket());
        requireUnreservedKey(ref);
        BsonDocument fields = rules.decode(body);
        if (ref.bucket().equals(USERS)) {
            UserRegistration.requireName(fields);
        }
        return new Batch.ReplaceOperation(ref, fields, rules.schemaEpoch, precondition);
    }

    Batch.UpdateOperation checkUpdate(
            Principal principal, ObjectRef ref, List<BsonDocument> updates, Precondition precondition) {
        WriteRules rules = rules(ref.bucket());
        rules.type.require(ClassOperation.UPDATE, principal);
        return new Batch.UpdateOperation(
                ref, guardUpdate(principal, ref, rules.parse(updates)), rules.schemaEpoch, precondition);
    }

    Batch.DeleteOperation checkDelete(Principal principal, ObjectRef ref, Precondition precondition) {
        WriteRules rules = rules(ref.bucket());
        rules.type.require(ClassOperation.DELETE, principal);
        AdminInvariant.requireDeletable(ref);
        return new Batch.DeleteOperation(ref, rules.schemaEpoch, precondition);
    }

    void requireLoad(Principal principal, ObjectRef ref) {
        schemas.current().entity(ref.bucket()).require(ClassOperation.LOAD, principal);
    }

    /**
     * Returns the object that a body names; fails with {@code BAD_REQUEST} if its id is none of
     * this class.
     */
    static Optional<ObjectRef> refNamedIn(BsonDocument body, String bucket) {
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

    private static void requireUnreservedKey(ObjectRef ref) {
        if (isReserved(ref.key())) {
            throw new ApiException(ErrorCode.BAD_REQUEST, "The key is reserved: " + ref.key());
        }
    }

    private static void requireSameId(BsonDocument body, ObjectRef ref) {
        if (refNamedIn(body, ref.bucket()).filter(id -> !id.equals(ref)).isPresent()) {
            throw new ApiException(ErrorCode.BAD_REQUEST, "The body's id is not the one of the path: " + ref.id());
        }
    }
}
