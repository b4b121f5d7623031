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
    record InsertRequest(ObjectRef ref, BsonDocument body) implements WriteRequest {}

    /** A whole object. */
    record ReplaceRequest(ObjectRef ref, BsonDocument body, Precondition precondition) implements WriteRequest {}

    /**
     * Parts of an object.
     *
     * @param updates done in order, as one write
     */
    record UpdateRequest(ObjectRef ref, List<BsonDocument> updates, Precondition precondition) implements WriteRequest {

        public UpdateRequest {
            updates = List.copyOf(updates);
        }
    }

    /** No object any more. */
    record DeleteRequest(ObjectRef ref, Precondition precondition) implements WriteRequest {}
}
