package io.orestes.bench.matching;

import io.invalidb.model.VersionStamp;
import io.invalidb.model.WriteEvent;
import io.invalidb.model.WriteOperation;
import java.util.List;
import org.bson.BsonDocument;

/** Writes of some documents in turn, each later than all before. */
record Writes(List<BsonDocument> documents) {

    WriteEvent.Upsert write(long number) {
        BsonDocument document = documents.get((int) (number % documents.size()));
        String id = document.getString("_id").getValue();
        return new WriteEvent.Upsert(
                Workload.BUCKET, id, new VersionStamp(1, number + 1), WriteOperation.UPDATE, document);
    }
}
