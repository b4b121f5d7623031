package io.orestes.store.mongo;

import com.mongodb.reactivestreams.client.FindPublisher;
import org.bson.BsonDocument;

/** A way to find documents: which states of them count, and how long the server may take. */
interface Finder {

    FindPublisher<BsonDocument> find(String bucket, BsonDocument filter);
}
