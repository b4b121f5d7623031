package io.orestes.histories.workload;

import java.util.Optional;
import org.bson.BsonArray;
import org.bson.BsonDocument;

/**
 * What a server answered.
 *
 * @param etag the tag of the state that it shows, in quotes
 */
record Answer(int status, String body, Optional<String> etag) {

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
