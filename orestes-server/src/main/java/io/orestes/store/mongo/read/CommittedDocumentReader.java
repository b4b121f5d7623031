package io.orestes.store.mongo.read;

import com.mongodb.client.model.CountOptions;
import com.mongodb.client.model.Projections;
import com.mongodb.reactivestreams.client.ClientSession;
import com.mongodb.reactivestreams.client.FindPublisher;
import com.mongodb.reactivestreams.client.MongoCollection;
import io.invalidb.query.value.HeapSize;
import io.orestes.model.StoredObject;
import io.orestes.store.ObjectStore;
import io.orestes.store.mongo.document.ForeignDocumentNormalizer;
import io.orestes.store.mongo.document.MongoCollections;
import io.orestes.store.mongo.driver.PublisherAdapter;
import io.orestes.store.mongo.driver.PublisherAdapter.PageLimits;
import io.orestes.store.mongo.index.DeclaredIndexCatalog;
import io.vertx.core.Future;
import io.vertx.core.WorkerExecutor;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/**
 * The reader of committed documents, which passes them on page by page. A page is limited by its
 * number of documents and by their bytes. A reader in a session waits for a time of the oplog.
 */
public final class CommittedDocumentReader {

    static final int PAGE_SIZE = 256;

    private static final Bson WITHOUT_WORDS = Projections.exclude(MongoCollections.WORDS);

    private final MongoCollections mongoCollections;
    private final DeclaredIndexCatalog catalog;
    private final ForeignDocumentNormalizer foreignDocumentNormalizer;
    private final WorkerExecutor workers;
    private final Duration budget;
    private final BatchSizeEstimator batches;
    private final @Nullable ClientSession session;

    /**
     * Creates the reader of one database.
     *
     * @param workers threads that call visitors and evaluate filters
     * @param budget time that one query may run
     */
    public CommittedDocumentReader(
            MongoCollections mongoCollections,
            DeclaredIndexCatalog catalog,
            ForeignDocumentNormalizer foreignDocumentNormalizer,
            WorkerExecutor workers,
            Duration budget) {
        this.mongoCollections = mongoCollections;
        this.catalog = catalog;
        this.foreignDocumentNormalizer = foreignDocumentNormalizer;
        this.workers = workers;
        this.budget = budget;
        this.batches = new BatchSizeEstimator(PAGE_SIZE);
        this.session = null;
    }

    private CommittedDocumentReader(CommittedDocumentReader outside, ClientSession session) {
        this.mongoCollections = outside.mongoCollections;
        this.catalog = outside.catalog;
        this.foreignDocumentNormalizer = outside.foreignDocumentNormalizer;
        this.workers = outside.workers;
        this.budget = outside.budget;
        this.batches = outside.batches;
        this.session = session;
    }

    /** Returns a reader in a session. */
    CommittedDocumentReader in(ClientSession reading) {
        return new CommittedDocumentReader(this, reading);
    }

    Duration budget() {
        return budget;
    }

    PublisherAdapter publishers() {
        return mongoCollections.publishers();
    }

    /** Returns the number of documents of a class that fit into a batch of the driver. */
    int batchSize(String bucket) {
        return batches.of(bucket);
    }

    /** Finds documents without their words, which may be as long as the rest of an object. */
    FindPublisher<BsonDocument> find(String bucket, BsonDocument filter) {
        MongoCollection<BsonDocument> objects = mongoCollections.committed(bucket);
        return (session == null ? objects.find(filter) : objects.find(session, filter))
                .projection(
                        catalog.textIndex(bucket).map(index -> WITHOUT_WORDS).orElse(null))
                .batchSize(batchSize(bucket))
                .maxTime(budget.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Finds documents with their words, as encoded; not in the session. */
    FindPublisher<RawBsonDocument> findRaw(String bucket, Bson filter) {
        return mongoCollections
                .committed(bucket)
                .withDocumentClass(RawBsonDocument.class)
                .find(filter)
                .batchSize(batchSize(bucket));
    }

    Future<Long> count(String bucket, BsonDocument filter) {
        MongoCollection<BsonDocument> objects = mongoCollections.committed(bucket);
        CountOptions within = new CountOptions().maxTime(budget.toMillis(), TimeUnit.MILLISECONDS);
        return publishers()
                .first(
                        session == null
                                ? objects.countDocuments(filter, within)
                                : objects.countDocuments(session, filter, within))
                .map(Optional::orElseThrow);
    }

    /**
     * Passes documents to an action page by page. Where objects are large, a page is limited by its
     * bytes instead of its number.
     *
     * @param action returns true if more pages are wanted
     */
    Future<Void> each(
            String bucket, FindPublisher<BsonDocument> found, Function<List<BsonDocument>, Future<Boolean>> action) {
        return publishers()
                .each(found, PageLimits.bySize(PAGE_SIZE, ObjectStore.PAGE_BYTES, HeapSize::of), (page, bytes) -> {
                    batches.observe(bucket, page.size(), bytes);
                    return action.apply(page);
                });
    }

    /** Passes objects to an action on worker threads. */
    Future<Void> eachObject(String bucket, FindPublisher<BsonDocument> found, Consumer<StoredObject> action) {
        return each(
                bucket,
                found,
                page -> runBlocking(() -> {
                    page.forEach(document -> provisional(bucket, document).ifPresent(action));
                    return true;
                }));
    }

    /** Executes work on a worker thread. */
    <T> Future<T> runBlocking(Callable<T> work) {
        return workers.executeBlocking(work, false);
    }

    /** Returns the objects of documents; see {@link ForeignDocumentNormalizer#objects}. */
    Future<List<StoredObject>> objects(String bucket, List<BsonDocument> documents) {
        return foreignDocumentNormalizer.objects(bucket, documents);
    }

    /**
     * Returns the object of a document at once; see {@link ForeignDocumentNormalizer#provisional}.
     */
    Optional<StoredObject> provisional(String bucket, BsonDocument document) {
        return foreignDocumentNormalizer.provisional(bucket, document);
    }
}
