package io.orestes.histories.workload;

import org.bson.BsonArray;
import org.bson.BsonDocument;

/** What a server answered. */
record Answer(int status, String body) {

    BsonDocument object() {
        return BsonDocument.parse(body);
    }

    BsonArray array() {
        return BsonArray.parse(body);
    }

    /** Whether it was done, or not at all; of everything else nobody knows. */
    boolean isDefinite() {
        return status < 500;
    }
}
