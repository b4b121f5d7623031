package io.orestes.store;

import io.orestes.model.ObjectRef;
import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
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
    }

    /** The operation that inserts a new object, equivalent to {@link ObjectStore#insert}. */
    public record InsertOperation(ObjectRef ref, BsonDocument fields, long schemaEpoch) implements StoreOperation {}

    /**
     * The operation that replaces a whole object under a precondition, equivalent to {@link
     * ObjectStore#replace}.
     */
    public record ReplaceOperation(ObjectRef ref, BsonDocument fields, long schemaEpoch, Precondition precondition)
            implements StoreOperation {}

    /**
     * The operation that applies an update function to an object, equivalent to {@link
     * ObjectStore#update}.
     */
    public record UpdateOperation(ObjectRef ref, UpdateFunction update, long schemaEpoch, Precondition precondition)
            implements StoreOperation {}

    /**
     * The operation that deletes an object under a precondition, equivalent to {@link
     * ObjectStore#delete}.
     */
    public record DeleteOperation(ObjectRef ref, long schemaEpoch, Precondition precondition)
            implements StoreOperation {}
}
