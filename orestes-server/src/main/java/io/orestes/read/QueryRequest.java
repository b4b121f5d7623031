package io.orestes.read;

import org.bson.BsonDocument;

/**
 * A pull query as a client asks for it.
 *
 * @param bucket the class
 * @param q filter as sent
 * @param sort paths to 1 or -1, as sent
 * @param start how many matching objects to leave out, at least 0
 * @param count most objects wanted, -1 for as many as the server allows
 * @param form what the answer shows of the objects
 * @param polymorphic whether it is also about the classes that derive from the class
 */
public record QueryRequest(
        String bucket, BsonDocument q, BsonDocument sort, int start, int count, ResultForm form, boolean polymorphic) {

    /** About one class. */
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
