package io.orestes.write;

import io.orestes.auth.account.UserRegistration;
import io.orestes.auth.rights.AccessControl;
import io.orestes.auth.rights.AdminInvariant;
import io.orestes.auth.rights.UserRepository;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.schema.model.ClassOperation;
import io.orestes.schema.model.ClassSchema;
import io.orestes.store.Batch;
import io.orestes.store.UpdateFunction;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.bson.BsonDocument;

/**
 * A write of one object as it was requested, unparsed. Each kind knows the permission that it needs
 * and the operation that it becomes.
 */
public sealed interface WriteRequest {

    /** Reference of the object. */
    ObjectRef ref();

    /** Fails with {@code PERMISSION_DENIED} unless the principal may write so in the class. */
    void authorize(Principal principal, ClassSchema type);

    /** Returns the operation of the store; fails if the rules of the class do not allow it. */
    Batch.StoreOperation validate(Principal principal, WriteSchema schema);

    /** Returns the failure for the client when the commit of the write alone fails. */
    default Throwable explain(Throwable failure) {
        return failure;
    }

    /** True if the write is an insertion, and never meets an object. */
    default boolean isInsertion() {
        return false;
    }

    private static UpdateFunction guarded(Principal principal, ObjectRef ref, UpdateFunction update) {
        if (AccessControl.hasReadOnlyFields(principal, ref)) {
            return new ReadOnlyFieldsPreservingUpdate(update);
        }
        return ref.bucket().equals(UserRepository.BUCKET) ? new UserNameValidatingUpdate(update) : update;
    }

    /**
     * A request to insert a new object.
     *
     * @param ref reference that the writer chose; another one is used where the server assigns ids
     */
    record InsertRequest(ObjectRef ref, BsonDocument body) implements WriteRequest {

        @Override
        public void authorize(Principal principal, ClassSchema type) {
            AccessControl.requireInsert(principal, type);
        }

        @Override
        public Batch.StoreOperation validate(Principal principal, WriteSchema schema) {
            ObjectRef assigned = AccessControl.hasAssignedIds(schema.type()) ? ObjectIdRules.newRef(ref.bucket()) : ref;
            ObjectIdRules.requireFree(assigned);
            return new Batch.InsertOperation(assigned, schema.decode(body), schema.schemaEpoch());
        }

        @Override
        public boolean isInsertion() {
            return true;
        }
    }

    /**
     * A request to insert a user, by registration.
     *
     * @param completion adds the fields that the user does not choose to the fields as they are
     *     stored
     */
    record RegistrationRequest(ObjectRef ref, BsonDocument body, UnaryOperator<BsonDocument> completion)
            implements WriteRequest {

        @Override
        public void authorize(Principal principal, ClassSchema type) {
            type.require(ClassOperation.INSERT, principal);
        }

        @Override
        public Batch.StoreOperation validate(Principal principal, WriteSchema schema) {
            return new Batch.InsertOperation(ref, completion.apply(schema.decode(body)), schema.schemaEpoch());
        }

        @Override
        public boolean isInsertion() {
            return true;
        }
    }

    /**
     * A request to replace a whole object under a precondition. It becomes an update if the write
     * must not insert a missing object, because an update can also preserve read-only fields.
     */
    record ReplaceRequest(ObjectRef ref, BsonDocument body, Precondition precondition) implements WriteRequest {

        @Override
        public void authorize(Principal principal, ClassSchema type) {
            type.require(ClassOperation.UPDATE, principal);
            if (precondition.allowsAbsence() && !AccessControl.isRegisteredOnly(type)) {
                type.require(ClassOperation.INSERT, principal);
            }
        }

        @Override
        public Batch.StoreOperation validate(Principal principal, WriteSchema schema) {
            ObjectIdRules.requireFree(ref);
            ObjectIdRules.requireSameId(body, ref);
            BsonDocument fields = schema.decode(body);
            return AccessControl.mayInsertUnderId(principal, schema.type())
                    ? new Batch.ReplaceOperation(ref, fields, schema.schemaEpoch(), precondition)
                    : new Batch.UpdateOperation(
                            ref,
                            guarded(principal, ref, new ReplaceUpdate(fields)),
                            schema.schemaEpoch(),
                            precondition);
        }

        /** Returns the reason why no missing object was inserted. */
        @Override
        public Throwable explain(Throwable failure) {
            if (ApiException.of(failure).code() != ErrorCode.OBJECT_NOT_FOUND) {
                return failure;
            }
            return precondition.allowsAbsence()
                    ? new ApiException(
                            ErrorCode.PERMISSION_DENIED,
                            "Inserts of " + ref.bucket() + " objects under an id of one's choice are not allowed")
                    : new ApiException(
                            ErrorCode.OBJECT_OUT_OF_DATE, "The object is out of date: " + ref.id() + " is not there");
        }
    }

    /**
     * A request to apply partial updates to one object.
     *
     * @param updates applied in order, as one write
     */
    record UpdateRequest(ObjectRef ref, List<BsonDocument> updates, Precondition precondition) implements WriteRequest {

        public UpdateRequest {
            updates = List.copyOf(updates);
        }

        /** Returns a request that applies further updates after its own. */
        public UpdateRequest then(BsonDocument operations) {
            return new UpdateRequest(
                    ref, Stream.concat(updates.stream(), Stream.of(operations)).toList(), precondition);
        }

        @Override
        public void authorize(Principal principal, ClassSchema type) {
            type.require(ClassOperation.UPDATE, principal);
        }

        @Override
        public Batch.StoreOperation validate(Principal principal, WriteSchema schema) {
            return new Batch.UpdateOperation(
                    ref, guarded(principal, ref, schema.parse(updates)), schema.schemaEpoch(), precondition);
        }
    }

    /** A request to delete an object under a precondition. */
    record DeleteRequest(ObjectRef ref, Precondition precondition) implements WriteRequest {

        @Override
        public void authorize(Principal principal, ClassSchema type) {
            type.require(ClassOperation.DELETE, principal);
            AdminInvariant.requireDeletable(ref);
        }

        @Override
        public Batch.StoreOperation validate(Principal principal, WriteSchema schema) {
            return new Batch.DeleteOperation(ref, schema.schemaEpoch(), precondition);
        }
    }

    /** A request of an import, which has checked the class permissions for all its objects. */
    record ImportRequest(ObjectRef ref, BsonDocument body, Precondition precondition) implements WriteRequest {

        @Override
        public void authorize(Principal principal, ClassSchema type) {}

        @Override
        public Batch.StoreOperation validate(Principal principal, WriteSchema schema) {
            ObjectIdRules.requireFree(ref);
            BsonDocument fields = schema.decode(body);
            if (ref.bucket().equals(UserRepository.BUCKET)) {
                UserRegistration.requireName(fields);
            }
            return new Batch.ReplaceOperation(ref, fields, schema.schemaEpoch(), precondition);
        }
    }
}
