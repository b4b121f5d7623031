package io.orestes.update;

import io.orestes.store.Update;
import java.util.List;
import org.bson.BsonDocument;

/** A whole partial update: its operations in the order of the request. Immutable. */
public final class ObjectUpdate implements Update {

    private final List<Operation> operations;

    ObjectUpdate(List<Operation> operations) {
        this.operations = List.copyOf(operations);
    }

    @Override
    public boolean touchesAcl() {
        return operations.stream()
                .anyMatch(operation -> operation instanceof Operation.Change change
                        && change.place().isAcl());
    }

    @Override
    public BsonDocument apply(BsonDocument stored, long at) {
        BsonDocument document = stored;
        for (Operation operation : operations) {
            document = operation.apply(document, at);
        }
        return document;
    }
}
