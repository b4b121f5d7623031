package io.orestes.differential;

import java.util.List;
import org.bson.BsonValue;

/** The answer of one side to a query. */
sealed interface Answer {

    /** The ids of the documents that match, in the order of the result. */
    record Ids(List<BsonValue> ids) implements Answer {

        @Override
        public String toString() {
            return ids.size() > 10
                    ? ids.size() + " documents"
                    : "" + ids.stream().map(id -> id.asInt32().getValue()).toList();
        }
    }

    /** The query is malformed. */
    record Refused(String reason) implements Answer {}

    /** The query may be well-formed, but is not supported; mongod never answers so. */
    record Unsupported(String reason) implements Answer {}
}
