package io.orestes.store.mongo.index;

import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.Filters;
import io.orestes.store.mongo.document.MongoCollections;
import io.orestes.store.mongo.driver.PublisherAdapter;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;
import org.bson.types.ObjectId;

/**
 * The progress of indexes that are being built, from MongoDB's reports and own counts. MongoDB
 * reports on the indexes that it builds itself. For the others the store counts the objects that
 * contain their hidden fields already. Used on the store's context only.
 */
final class IndexBuildProgress {

    /** Maximum progress; an index counts as complete only when its definition is ready. */
    private static final double MAX_PROGRESS = 0.999;

    /** Query of all operations: the thread that fills an index has no user and counts as idle. */
    private static final BsonDocument ALL_OPERATIONS =
            BsonDocument.parse("{$currentOp: {allUsers: true, idleConnections: true}}");

    private final MongoCollections mongoCollections;
    private final PublisherAdapter publisherAdapter;
    /** Objects that contain their hidden fields for an index, by its number. */
    private final Map<ObjectId, Long> filled = new HashMap<>();

    IndexBuildProgress(MongoCollections mongoCollections) {
        this.mongoCollections = mongoCollections;
        this.publisherAdapter = mongoCollections.publishers();
    }

    /** Counts objects that have got their hidden fields for an index. */
    void countFilled(MongoIndexDefinition index, int objects) {
        filled.merge(index.number(), (long) objects, Long::sum);
    }

    void discardCount(MongoIndexDefinition index) {
        filled.remove(index.number());
    }

    /** Reads the completed part, from 0 to less than 1; 0 also if MongoDB reports none. */
    Future<Double> read(MongoIndexDefinition index) {
        return (index.hasHiddenFields() ? readFillProgress(index) : readMongoProgress(index)).otherwise(0.0);
    }

    private Future<Double> readFillProgress(MongoIndexDefinition index) {
        return publisherAdapter
                .first(mongoCollections.newest(index.bucket()).estimatedDocumentCount())
                .map(all -> part(filled.getOrDefault(index.number(), 0L), all.orElse(0L)));
    }

    /** Reads the progress of the index that MongoDB builds in the bucket, one at a time. */
    private Future<Double> readMongoProgress(MongoIndexDefinition index) {
        String collection =
                mongoCollections.newest(index.bucket()).getNamespace().getFullName();
        return publisherAdapter
                .first(mongoCollections
                        .ofServer()
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
        return all == 0 ? 0 : Math.min(MAX_PROGRESS, (double) done / all);
    }
}
