package io.orestes.store.mongo;

import com.mongodb.client.model.CountOptions;
import com.mongodb.reactivestreams.client.ClientSession;
import com.mongodb.reactivestreams.client.FindPublisher;
import org.bson.BsonDocument;
import org.reactivestreams.Publisher;

/** Commands that read committed objects: outside of a session, or in one that waits for a time of the oplog. */
interface ReadCommands {

    FindPublisher<BsonDocument> find(String bucket, BsonDocument filter);

    Publisher<Long> count(String bucket, BsonDocument filter, CountOptions options);

    /** Commands outside of a session. */
    static ReadCommands of(Buckets buckets) {
        return new ReadCommands() {

            @Override
            public FindPublisher<BsonDocument> find(String bucket, BsonDocument filter) {
                return buckets.committed(bucket).find(filter);
            }

            @Override
            public Publisher<Long> count(String bucket, BsonDocument filter, CountOptions options) {
                return buckets.committed(bucket).countDocuments(filter, options);
            }
        };
    }

    /** Commands in a session. */
    static ReadCommands in(ClientSession session, Buckets buckets) {
        return new ReadCommands() {

            @Override
            public FindPublisher<BsonDocument> find(String bucket, BsonDocument filter) {
                return buckets.committed(bucket).find(session, filter);
            }

            @Override
            public Publisher<Long> count(String bucket, BsonDocument filter, CountOptions options) {
                return buckets.committed(bucket).countDocuments(session, filter, options);
            }
        };
    }
}
