package io.orestes.differential;

import java.util.List;
import org.bson.BsonDocument;

/**
 * Documents and queries that belong together: queries of a family often match some of its
 * documents.
 */
interface Family {

    BsonDocument document();

    BsonDocument filter();

    /** Returns indexes that some operators need in mongod. */
    default List<BsonDocument> indexes() {
        return List.of();
    }

    /** Returns the sort order; empty unless the family is about sorting. */
    default BsonDocument sort() {
        return new BsonDocument();
    }
}
