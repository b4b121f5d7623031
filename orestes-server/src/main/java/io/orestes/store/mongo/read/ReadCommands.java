package io.orestes.store.mongo.read;

import com.mongodb.client.model.CountOptions;
import com.mongodb.reactivestreams.client.ClientSession;
import com.mongodb.reactivestreams.client.FindPublisher;
import io.orestes.store.mongo.document.MongoCollections;
import io.orestes.store.mongo.driver.PublisherAdapter;
import io.vertx.core.Future;
import java.util.Optional;
import org.bson.BsonDocument;

/**
 * The MongoDB commands that read committed objects, outside of a session or within one. A session
 * waits for a time of the oplog.
 */
interface ReadCommands {

    FindPublisher<BsonDocument> find(String bucket, BsonDocument filter);

    Future<Long> count(String bucket, BsonDocument filter, CountOptions options);

    /** Creates commands outside of a session. */
    static ReadCommands of(MongoCollections mongoCollections, PublisherAdapter publisherAdapter) {
        return new ReadCommands() {

            @Override
            public FindPublisher<BsonDocument> find(String bucket, BsonDocument filter) {
                return mongoCollections.committed(bucket).find(filter);
            }

            @Override
            public Future<Long> count(String bucket, BsonDocument filter, CountOptions options) {
                return publisherAdapter
                        .first(mongoCollections.committed(bucket).countDocuments(filter, options))
                        .map(Optional::orElseThrow);
            }
        };
    }

    /** Creates commands in a session. */
    static ReadCommands in(
            ClientSession session, MongoCollections mongoCollections, PublisherAdapter publisherAdapter) {
        return new ReadCommands() {

            @Override
            public FindPublisher<BsonDocument> find(String bucket, BsonDocument filter) {
                return mongoCollections.committed(bucket).find(session, filter);
            }

            @Override
            public Future<Long> count(String bucket, BsonDocument filter, CountOptions options) {
                return publisherAdapter
                        .first(mongoCollections.committed(bucket).countDocuments(session, filter, options))
                        .map(Optional::orElseThrow);
            }
        };
    }
}
