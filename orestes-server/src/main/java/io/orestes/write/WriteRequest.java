package io.orestes.write;

import io.orestes.model.ObjectRef;
import io.orestes.model.Precondition;
import java.util.List;
import org.bson.BsonDocument;

/** One write as it was asked for among several. */
public sealed interface WriteRequest {

    /** Which object. */
    ObjectRef ref();

    /** A new object. */
    record Insertion(ObjectRef ref, BsonDocument body) implements WriteRequest {}

    /** A whole object. */
    record Replacement(ObjectRef ref, BsonDocument body, Precondition precondition) implements WriteRequest {}

    /**
     * Parts of an object.
     *
     * @param updates done in order, as one write
     */
    record Revision(ObjectRef ref, List<BsonDocument> updates, Precondition precondition) implements WriteRequest {

        public Revision {
            updates = List.copyOf(updates);
        }
    }

    /** No object any more. */
    record Deletion(ObjectRef ref, Precondition precondition) implements WriteRequest {}
}
