package io.orestes.write;

import io.orestes.model.ObjectRef;
import io.orestes.model.Precondition;
import java.util.List;
import org.bson.BsonDocument;

/** One of several writes in a request, as the client sent it. */
public sealed interface WriteRequest {

    /** Reference of the object. */
    ObjectRef ref();

    /** A request to insert a new object, with its unparsed body. */
    record InsertRequest(ObjectRef ref, BsonDocument body) implements WriteRequest {}

    /** A request to replace a whole object under a precondition, with its unparsed body. */
    record ReplaceRequest(ObjectRef ref, BsonDocument body, Precondition precondition) implements WriteRequest {}

    /**
     * A request to apply partial updates to one object.
     *
     * @param updates applied in order, as one write
     */
    record UpdateRequest(ObjectRef ref, List<BsonDocument> updates, Precondition precondition) implements WriteRequest {

        public UpdateRequest {
            updates = List.copyOf(updates);
        }
    }

    /** A request to delete an object under a precondition. */
    record DeleteRequest(ObjectRef ref, Precondition precondition) implements WriteRequest {}
}
