package io.orestes.store;

import io.orestes.model.ObjectRef;
import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
import io.orestes.model.WriteOutcome;
import io.vertx.core.Future;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * A batch of writes to several objects that are committed atomically, together or not at all.
 *
 * @param reads states that the writes depend on
 * @param assertions states that the server's own checks of the writes depend on
 * @param writes in order; at most one of each object
 * @param writer the principal on whose behalf the batch is committed
 */
public record Batch(
        List<ReadSetEntry> reads, List<StateAssertion> assertions, List<StoreOperation> writes, Principal writer) {

    public Batch {
        reads = List.copyOf(reads);
        assertions = List.copyOf(assertions);
        writes = List.copyOf(writes);
        Set<ObjectRef> written = new HashSet<>();
        if (!writes.stream().map(StoreOperation::ref).allMatch(written::add)) {
            throw new IllegalArgumentException("A batch writes each object at most once");
        }
    }

    /** Creates a batch without assertions: the server's checks allow it whatever else is stored. */
    public Batch(List<ReadSetEntry> reads, List<StoreOperation> writes, Principal writer) {
        this(reads, List.of(), writes, writer);
    }

    /**
     * One entry of a batch's read set: an object and the state that the writer has read. An object
     * that the writer may not read counts as absent.
     */
    public record ReadSetEntry(ObjectRef ref, Precondition precondition) {}

    /**
     * An assertion that an object is still in the state that the server's own check found. It is
     * compared whether or not the writer may read it, and the writer does not learn which one has
     * changed.
     */
    public record StateAssertion(ObjectRef ref, Precondition precondition) {

        /**
         * Asserts exactly the state that was found.
         *
         * @param found null if there was no object
         */
        public static StateAssertion of(ObjectRef ref, @Nullable StoredObject found) {
            return new StateAssertion(
                    ref,
                    found == null
                            ? new Precondition.ObjectAbsent()
                            : new Precondition.ExactState(found.version(), found.updatedAt()));
        }
    }

    /**
     * One write operation of the store: an insert, a replace, an update or a delete. Schema epoch
     * and precondition mean the same as in the corresponding method of {@link ObjectStore}.
     */
    public sealed interface StoreOperation {

        ObjectRef ref();

        long schemaEpoch();

        /** Commits the operation alone. The outcome is empty if it deletes an absent object. */
        Future<Optional<WriteOutcome>> commit(ObjectStore store, Principal writer);

        /** Returns the guard of the operation when it is committed alone. */
        WriteGuard guard(Principal writer);

        /** Returns the guard of the operation in a batch. */
        default WriteGuard guardInBatch(Principal writer) {
            return guard(writer);
        }

        /** Returns a guard that checks the fence and the schema epoch before the given guard. */
        default WriteGuard fenced(BucketFence fence, WriteGuard guard) {
            return fence.guardEpoch(guard, schemaEpoch());
        }

        /** True if the operation can succeed where there is an object. */
        default boolean mayOverwrite() {
            return true;
        }

        /** True if there is an object after the operation. */
        default boolean leavesObject() {
            return true;
        }

        /** Returns what the function makes of an update; other operations stay as they are. */
        default StoreOperation mapUpdate(UnaryOperator<UpdateOperation> change) {
            return this;
        }

        /** Returns the result of the function for this kind of operation. */
        <R> R fold(
                Function<InsertOperation, R> onInsert,
                Function<ReplaceOperation, R> onReplace,
                Function<UpdateOperation, R> onUpdate,
                Function<DeleteOperation, R> onDelete);
    }

    /** The operation that inserts a new object, equivalent to {@link ObjectStore#insert}. */
    public record InsertOperation(ObjectRef ref, BsonDocument fields, long schemaEpoch) implements StoreOperation {

        @Override
        public Future<Optional<WriteOutcome>> commit(ObjectStore store, Principal writer) {
            return store.insert(ref, fields, schemaEpoch).map(Optional::of);
        }

        @Override
        public WriteGuard guard(Principal writer) {
            return WriteGuard.absent();
        }

        @Override
        public boolean mayOverwrite() {
            return false;
        }

        @Override
        public <R> R fold(
                Function<InsertOperation, R> onInsert,
                Function<ReplaceOperation, R> onReplace,
                Function<UpdateOperation, R> onUpdate,
                Function<DeleteOperation, R> onDelete) {
            return onInsert.apply(this);
        }
    }

    /**
     * The operation that replaces a whole object under a precondition, equivalent to {@link
     * ObjectStore#replace}.
     */
    public record ReplaceOperation(ObjectRef ref, BsonDocument fields, long schemaEpoch, Precondition precondition)
            implements StoreOperation {

        @Override
        public Future<Optional<WriteOutcome>> commit(ObjectStore store, Principal writer) {
            return store.replace(ref, fields, schemaEpoch, precondition, writer).map(Optional::of);
        }

        @Override
        public WriteGuard guard(Principal writer) {
            return WriteGuard.permitted(precondition, writer);
        }

        @Override
        public <R> R fold(
                Function<InsertOperation, R> onInsert,
                Function<ReplaceOperation, R> onReplace,
                Function<UpdateOperation, R> onUpdate,
                Function<DeleteOperation, R> onDelete) {
            return onReplace.apply(this);
        }
    }

    /**
     * The operation that applies an update function to an object, equivalent to {@link
     * ObjectStore#update}.
     */
    public record UpdateOperation(ObjectRef ref, UpdateFunction update, long schemaEpoch, Precondition precondition)
            implements StoreOperation {

        @Override
        public Future<Optional<WriteOutcome>> commit(ObjectStore store, Principal writer) {
            return store.update(ref, update, schemaEpoch, precondition, writer).map(Optional::of);
        }

        @Override
        public WriteGuard guard(Principal writer) {
            return WriteGuard.permittedExisting(precondition, writer);
        }

        /**
         * Returns a guard for which an absent object that is expected in a certain state is out of
         * date.
         */
        @Override
        public WriteGuard guardInBatch(Principal writer) {
            return precondition.allowsAbsence()
                    ? WriteGuard.permittedExisting(precondition, writer)
                    : WriteGuard.permitted(precondition, writer);
        }

        @Override
        public StoreOperation mapUpdate(UnaryOperator<UpdateOperation> change) {
            return change.apply(this);
        }

        @Override
        public <R> R fold(
                Function<InsertOperation, R> onInsert,
                Function<ReplaceOperation, R> onReplace,
                Function<UpdateOperation, R> onUpdate,
                Function<DeleteOperation, R> onDelete) {
            return onUpdate.apply(this);
        }
    }

    /**
     * The operation that deletes an object under a precondition, equivalent to {@link
     * ObjectStore#delete}.
     */
    public record DeleteOperation(ObjectRef ref, long schemaEpoch, Precondition precondition)
            implements StoreOperation {

        @Override
        public Future<Optional<WriteOutcome>> commit(ObjectStore store, Principal writer) {
            return store.delete(ref, schemaEpoch, precondition, writer)
                    .map(deleted -> deleted.map(Function.identity()));
        }

        @Override
        public WriteGuard guard(Principal writer) {
            return WriteGuard.permitted(precondition, writer);
        }

        /** Returns a guard that accepts any later schema epoch, but not one after a drop. */
        @Override
        public WriteGuard fenced(BucketFence fence, WriteGuard guard) {
            return fence.guardDrop(guard, schemaEpoch);
        }

        @Override
        public boolean leavesObject() {
            return false;
        }

        @Override
        public <R> R fold(
                Function<InsertOperation, R> onInsert,
                Function<ReplaceOperation, R> onReplace,
                Function<UpdateOperation, R> onUpdate,
                Function<DeleteOperation, R> onDelete) {
            return onDelete.apply(this);
        }
    }
}
