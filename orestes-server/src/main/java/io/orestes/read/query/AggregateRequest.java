package io.orestes.read.query;

import org.bson.BsonDocument;

/**
 * An aggregate as a client asks for it.
 *
 * @param bucket the class
 * @param q filter as sent
 * @param aggregate grouping and accumulators as sent
 */
public record AggregateRequest(String bucket, BsonDocument q, BsonDocument aggregate) {}
