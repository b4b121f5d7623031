package io.orestes.read.query;

import org.bson.BsonDocument;

/**
 * A pull query as sent by a client.
 *
 * @param bucket the class
 * @param q filter as sent
 * @param sort paths to 1 or -1, as sent
 * @param start number of matching objects to skip, at least 0
 * @param count maximum number of objects, -1 for the server's maximum
 * @param form form of the objects in the response
 * @param polymorphic true if it includes the subclasses of the class
 */
public record QueryRequest(
        String bucket, BsonDocument q, BsonDocument sort, int start, int count, ResultForm form, boolean polymorphic) {

    /** Creates a query on one class. */
    public QueryRequest(String bucket, BsonDocument q, BsonDocument sort, int start, int count, ResultForm form) {
        this(bucket, q, sort, start, count, form, false);
    }

    QueryRequest on(String otherBucket) {
        return new QueryRequest(otherBucket, q, sort, start, count, form, polymorphic);
    }

    QueryRequest as(ResultForm chosen) {
        return new QueryRequest(bucket, q, sort, start, count, chosen, polymorphic);
    }
}
