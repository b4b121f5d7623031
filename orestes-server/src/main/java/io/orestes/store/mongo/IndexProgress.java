package io.orestes.store.mongo;

import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.Filters;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;
import org.bson.types.ObjectId;

/**
 * How far indexes are that are being filled: what MongoDB says of those that it makes, and what was counted of objects that hold
 * something for them. Used on the store's context only.
 */
final class IndexProgress {

    /** An index is full when it is said to be, not before. */
    private static final double MOST = 0.999;

    /** The thread that fills an index belongs to nobody and counts as idle. */
    private static final BsonDocument ALL_OPERATIONS =
            BsonDocument.parse("{$currentOp: {allUsers: true, idleConnections: true}}");

    private final Buckets buckets;
    private final Publishers publishers;
    /** Objects that hold what they have to for the index, by its number. */
    private final Map<ObjectId, Long> filled = new HashMap<>();

    IndexProgress(Buckets buckets, Publishers publishers) {
        this.buckets = buckets;
        this.publishers = publishers;
    }

    /** Counts objects that hold now what they have to for an index. */
    void filled(IndexDefinition index, int objects) {
        filled.merge(index.number(), (long) objects, Long::sum);
    }

    void forget(IndexDefinition index) {
        filled.remove(index.number());
    }

    /** The part that is done, from 0 to less than 1; 0 also when MongoDB does not tell. */
    Future<Double> of(IndexDefinition index) {
        return (index.isHeld() ? ofHeld(index) : inMongo(index)).otherwise(0.0);
    }

    private Future<Double> ofHeld(IndexDefinition index) {
        return publishers
                .first(buckets.newest(index.bucket()).estimatedDocumentCount())
                .map(all -> part(filled.getOrDefault(index.number(), 0L), all.orElse(0L)));
    }

    /** There is one at a time in a bucket. */
    private Future<Double> inMongo(IndexDefinition index) {
        String collection = buckets.newest(index.bucket()).getNamespace().getFullName();
        return publishers
                .first(buckets.ofServer()
                        .aggregate(
                                List.of(
                                        ALL_OPERATIONS,
                                        Aggregates.match(Filters.and(
                                                Filters.eq("ns", collection), Filters.gt("progress.total", 0)))),
                                BsonDocument.class)
                        .first())
                .map(building -> building.map(operation -> operation.getDocument("progress"))
                        .map(progress -> part(
                                progress.getNumber("done").longValue(),
                                progress.getNumber("total").longValue()))
                        .orElse(0.0));
    }

    private static double part(long done, long all) {
        return all == 0 ? 0 : Math.min(MOST, (double) done / all);
    }
}
