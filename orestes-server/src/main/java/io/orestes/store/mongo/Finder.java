package io.orestes.store.mongo;

import com.mongodb.reactivestreams.client.FindPublisher;
import io.vertx.core.Future;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.bson.BsonDocument;

/** A way to find documents: which of their states count. */
interface Finder {

    /** Documents that are requested from the driver at a time. */
    int PAGE = 256;

    /**
     * Reads all documents that match.
     *
     * @param options adds projection, limit and the like
     */
    Future<List<BsonDocument>> find(
            String bucket, BsonDocument filter, UnaryOperator<FindPublisher<BsonDocument>> options);

    /** States of the primary, which a change of the primary may undo. */
    static Finder newest(Buckets buckets, Publishers publishers) {
        return (bucket, filter, options) ->
                publishers.all(options.apply(buckets.newest(bucket).find(filter)), PAGE);
    }

    /** States that no change of the primary undoes. */
    static Finder committed(Buckets buckets, Publishers publishers) {
        return (bucket, filter, options) ->
                publishers.all(options.apply(buckets.committed(bucket).find(filter)), PAGE);
    }

    /** All that was committed before the call. Fails with {@code UNAVAILABLE} if no majority confirms it. */
    static Finder linearizable(ReadIndex index, Buckets buckets, Publishers publishers, long maxMillis) {
        return (bucket, filter, options) -> index.read(session -> publishers.all(
                        options.apply(buckets.committed(bucket).find(session, filter))
                                .maxTime(maxMillis, TimeUnit.MILLISECONDS),
                        PAGE))
                .recover(ReadIndex::explain);
    }
}
