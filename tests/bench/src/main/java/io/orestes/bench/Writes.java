package io.orestes.bench;

import io.invalidb.model.Operation;
import io.invalidb.model.Stamp;
import io.invalidb.model.WriteEvent;
import java.util.List;
import org.bson.BsonDocument;

/** Writes of some documents in turn, each later than all before. */
record Writes(List<BsonDocument> documents) {

    WriteEvent.Upsert write(long number) {
        BsonDocument document = documents.get((int) (number % documents.size()));
        String id = document.getString("_id").getValue();
        return new WriteEvent.Upsert(Workload.BUCKET, id, new Stamp(1, number + 1), Operation.UPDATE, document);
    }
}
