package io.orestes.store.mongo.index;

import com.mongodb.bulk.BulkWriteResult;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.UpdateOneModel;
import io.invalidb.query.value.HeapSize;
import io.orestes.model.StoredObject;
import io.orestes.store.ObjectStore;
import io.orestes.store.UniqueKeyHashes;
import io.orestes.store.mongo.document.DocumentIds;
import io.orestes.store.mongo.document.ForeignDocumentNormalizer;
import io.orestes.store.mongo.document.MongoCollections;
import io.orestes.store.mongo.driver.MongoErrors;
import io.orestes.store.mongo.driver.PublisherAdapter;
import io.orestes.store.mongo.driver.PublisherAdapter.PageLimits;
import io.vertx.core.Future;
import io.vertx.core.WorkerExecutor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonNull;

/**
 * The builder of single indexes, which creates and drops them in MongoDB and gives objects the
 * hidden fields that they need. Used on the store's context only.
 */
public final class IndexBuilder {

    /** Maximum time in which MongoDB fills an index of a large collection. */
    static final Duration MAX_BUILD_TIME = Duration.ofHours(6);

    private static final int PAGE_SIZE = 500;

    private final MongoCollections mongoCollections;
    private final PublisherAdapter publisherAdapter;
    private final DeclaredIndexCatalog catalog;
    private final ForeignDocumentNormalizer foreignDocumentNormalizer;
    private final WorkerExecutor workers;
    private final IndexBuildProgress progress;

    /** @param workers threads that compute the hidden fields for an index that is being filled */
    public IndexBuilder(
            MongoCollections mongoCollections,
            DeclaredIndexCatalog catalog,
            ForeignDocumentNormalizer foreignDocumentNormalizer,
            WorkerExecutor workers) {
        this.mongoCollections = mongoCollections;
        this.publisherAdapter = mongoCollections.publishers();
        this.catalog = catalog;
        this.foreignDocumentNormalizer = foreignDocumentNormalizer;
        this.workers = workers;
        this.progress = new IndexBuildProgress(mongoCollections);
    }

    /** Returns the progress of the indexes that are being built. */
    IndexBuildProgress progress() {
        return progress;
    }

    /** Creates the index in MongoDB, or its first path where it cannot be complete. */
    Future<MongoIndexDefinition> create(MongoIndexDefinition index) {
        if (index.isOfIds()) {
            return Future.succeededFuture(index);
        }
        return publisherAdapter
                .first(mongoCollections.newest(index.bucket()).createIndex(index.pattern()), MAX_BUILD_TIME)
                .map(made -> index)
                .recover(failure -> MongoErrors.isParallelArraysError(failure) && index.mayBeReduced()
                        ? create(index.asReduced())
                        : Future.failedFuture(failure));
    }

    /** Drops the index in MongoDB, unless another definition has the same pattern. */
    Future<Void> drop(MongoIndexDefinition index) {
        if (index.isOfIds() || sameAs(index).isPresent()) {
            return Future.succeededFuture();
        }
        return publisherAdapter
                .first(mongoCollections.newest(index.bucket()).dropIndex(index.pattern()))
                .<Void>mapEmpty()
                .recover(failure -> MongoErrors.isMissingIndexError(failure)
                        ? Future.succeededFuture()
                        : Future.failedFuture(failure))
                .compose(dropped -> catalog.load())
                // processes that declare it from now on also create it after the drop
                .compose(loaded -> sameAs(index)
                        .<Future<Void>>map(
                                declaredMeanwhile -> create(declaredMeanwhile).mapEmpty())
                        .orElseGet(Future::succeededFuture));
    }

    private Optional<MongoIndexDefinition> sameAs(MongoIndexDefinition index) {
        return catalog.of(index.bucket()).stream()
                .filter(other -> other.pattern().equals(index.pattern()))
                .findFirst();
    }

    /**
     * Makes MongoDB guard the keys of a unique index. Fails with {@code UNIQUE_INDEX_EXCEPTION} if
     * two objects have one key.
     */
    Future<?> makeUnique(MongoIndexDefinition index) {
        if (!index.spec().unique()) {
            return Future.succeededFuture();
        }
        IndexOptions unique = new IndexOptions().unique(true).sparse(true);
        return publisherAdapter
                .first(
                        mongoCollections
                                .newest(index.bucket())
                                .createIndex(new BsonDocument(MongoCollections.UNIQUE_KEYS, new BsonInt32(1)), unique),
                        MAX_BUILD_TIME)
                .recover(failure -> MongoErrors.isDuplicate(failure)
                        ? refuse(index, MongoErrors.duplicate(failure))
                        : Future.failedFuture(failure));
    }

    /**
     * Fails because two objects have one key before MongoDB guards keys. Writers with the
     * declaration store keys at once, and two of them may be equal.
     */
    private <T> Future<T> refuse(MongoIndexDefinition index, BsonDocument taken) {
        if (!index.owns(taken.get(MongoCollections.UNIQUE_KEYS, BsonNull.VALUE))) {
            return Future.failedFuture(MongoErrors.unavailable("Another unique index of the class is being filled"));
        }
        return publisherAdapter
                .first(mongoCollections.newest(index.bucket()).find(taken).first())
                .compose(found -> Future.failedFuture(found.flatMap(
                                holder -> DocumentIds.ref(index.bucket(), holder.get(StoredObject.ID, BsonNull.VALUE)))
                        .map(holder -> UniqueKeyHashes.violation(index.spec(), holder.id()))
                        .orElseGet(() -> MongoErrors.unavailable("Objects change while the index is filled"))));
    }

    /**
     * Gives all objects of the bucket their hidden fields for an index, page by page.
     *
     * @param guard fails with the reason if the procedure must not continue
     */
    Future<Void> fillHiddenFields(MongoIndexDefinition index, Supplier<Future<Void>> guard) {
        return index.hasHiddenFields()
                ? publisherAdapter.each(
                        mongoCollections.newest(index.bucket()).find().batchSize(PAGE_SIZE),
                        PageLimits.bySize(PAGE_SIZE, ObjectStore.PAGE_BYTES, HeapSize::of),
                        (page, bytes) -> guard.get()
                                .compose(open -> foreignDocumentNormalizer.objects(index.bucket(), page))
                                .compose(objects -> fillHiddenFields(index, objects))
                                .onSuccess(filled -> progress.countFilled(index, page.size()))
                                .map(true))
                : Future.succeededFuture();
    }

    private Future<?> fillHiddenFields(MongoIndexDefinition index, List<StoredObject> page) {
        return workers.executeBlocking(() -> HiddenFieldUpdates.of(index, page), false)
                .compose(filling -> filling.updates.isEmpty() ? Future.succeededFuture() : fill(index, filling));
    }

    private Future<?> fill(MongoIndexDefinition index, HiddenFieldUpdates filling) {
        Future<Optional<BulkWriteResult>> writing = publisherAdapter.first(mongoCollections
                .newest(index.bucket())
                .bulkWrite(filling.updates, new BulkWriteOptions().ordered(false)));
        return writing.recover(failure -> Future.failedFuture(
                MongoErrors.isDuplicate(failure)
                        ? UniqueKeyHashes.violation(index.spec(), filling.ids.get(MongoErrors.firstDuplicate(failure)))
                        : failure));
    }

    /**
     * The hidden fields that some objects get for an index.
     *
     * @param updates updates of the objects that get any
     * @param ids ids of the same objects
     */
    private record HiddenFieldUpdates(List<UpdateOneModel<BsonDocument>> updates, List<String> ids) {

        static HiddenFieldUpdates of(MongoIndexDefinition index, List<StoredObject> page) {
            HiddenFieldUpdates filling = new HiddenFieldUpdates(new ArrayList<>(), new ArrayList<>());
            page.forEach(object -> DeclaredIndexCatalog.hiddenFieldUpdate(index, object.document())
                    .ifPresent(update -> {
                        filling.ids.add(object.ref().id());
                        filling.updates.add(new UpdateOneModel<>(DocumentIds.state(object), update));
                    }));
            return filling;
        }
    }
}
