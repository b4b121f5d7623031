package io.orestes.store.mongo.read;

import com.mongodb.reactivestreams.client.FindPublisher;
import io.orestes.store.mongo.document.MongoCollections;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.bson.BsonDocument;

/** A function that finds documents at one level: newest, majority-committed or linearizable. */
public interface DocumentFinder {

    /** Documents that are requested from the driver at a time. */
    int PAGE_SIZE = 256;

    /**
     * Reads all documents that match.
     *
     * @param options adds projection, limit and the like
     */
    Future<List<BsonDocument>> find(
            String bucket, BsonDocument filter, UnaryOperator<FindPublisher<BsonDocument>> options);

    /** Creates a finder of states of the primary, which a failover may undo. */
    static DocumentFinder newest(MongoCollections mongoCollections) {
        return (bucket, filter, options) -> mongoCollections
                .publishers()
                .all(options.apply(mongoCollections.newest(bucket).find(filter)), PAGE_SIZE);
    }

    /** Creates a finder of states that no failover undoes. */
    static DocumentFinder committed(MongoCollections mongoCollections) {
        return (bucket, filter, options) -> mongoCollections
                .publishers()
                .all(options.apply(mongoCollections.committed(bucket).find(filter)), PAGE_SIZE);
    }

    /**
     * Creates a finder of all states committed before the call. Fails with {@code UNAVAILABLE} if
     * no majority confirms them.
     *
     * @param confirmWithin maximum time in which a majority has to confirm them
     */
    static DocumentFinder linearizable(
            LinearizableReader index, MongoCollections mongoCollections, Duration confirmWithin) {
        return (bucket, filter, options) -> index.read(session -> mongoCollections
                        .publishers()
                        .all(
                                options.apply(mongoCollections.committed(bucket).find(session, filter))
                                        .maxTime(confirmWithin.toMillis(), TimeUnit.MILLISECONDS),
                                PAGE_SIZE))
                .recover(LinearizableReader::explain);
    }
}
