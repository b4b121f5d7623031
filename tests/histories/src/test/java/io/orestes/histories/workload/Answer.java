package io.orestes.histories.workload;

import java.util.Optional;
import org.bson.BsonArray;
import org.bson.BsonDocument;

/**
 * An answer of a server.
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

    /** Returns whether it is certain that the request was done, or that it was not. */
    boolean isDefinite() {
        return status < 500;
    }
}
