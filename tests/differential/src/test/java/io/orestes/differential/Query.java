package io.orestes.differential;

import org.bson.BsonDocument;
import org.bson.BsonInt32;

/** A filter with a sort order, which may be empty. */
record Query(BsonDocument filter, BsonDocument sort) {

    /**
     * Returns a total order: both sides break ties by id; queries for near places have an order of
     * their own.
     */
    BsonDocument totalSort() {
        BsonDocument total = sort.clone();
        boolean isComplete =
                sort.containsKey("_id") || (sort.isEmpty() && filter.toJson().contains("$near"));
        return isComplete ? total : total.append("_id", new BsonInt32(1));
    }
}
