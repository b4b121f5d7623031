package io.orestes.store.mongo.index;

import com.mongodb.bulk.BulkWriteResult;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.UpdateOneModel;
import io.invalidb.query.value.HeapSize;
import io.orestes.async.InFlightOperations;
import io.orestes.async.KeyedMutex;
import io.orestes.model.ApiException;
import io.orestes.model.StoredObject;
import io.orestes.store.BucketFence;
import io.orestes.store.IndexSpec;
import io.orestes.store.ObjectStore;
import io.orestes.store.UniqueKeyHashes;
import io.orestes.store.mongo.document.DocumentIds;
import io.orestes.store.mongo.document.DocumentNormalizer;
import io.orestes.store.mongo.document.MongoCollections;
import io.orestes.store.mongo.driver.MongoErrors;
import io.orestes.store.mongo.driver.PublisherAdapter;
import io.orestes.store.mongo.driver.PublisherAdapter.PageLimits;
import io.vertx.core.Future;
import io.vertx.core.WorkerExecutor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonNull;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The manager of indexes, which builds, fills and drops the indexes that the {@link
 * MongoIndexCatalog} declares. The tasks of one bucket run one after the other. Used on the store's
 * context only.
 */
public final class IndexManager {

    private static final Logger LOG = LoggerFactory.getLogger(IndexManager.class);

    private static final int PAGE_SIZE = 500;

    /** Maximum time in which MongoDB fills an index of a large collection. */
    private static final Duration MAX_BUILD_TIME = Duration.ofHours(6);

    private final MongoCollections mongoCollections;
    private final PublisherAdapter publisherAdapter;
    private final MongoIndexCatalog catalog;
    private final BucketFence bucketFence;
    private final InFlightOperations inFlightOperations;
    private final KeyedMutex keyedMutex;
    private final DocumentNormalizer documentNormalizer;
    private final WorkerExecutor workers;
    private final IndexBuildProgress progress;
    private Function<String, Future<Void>> changePublisher = bucket -> Future.succeededFuture();

    /** @param workers threads that compute the hidden fields for an index that is being filled */
    public IndexManager(
            MongoCollections mongoCollections,
            PublisherAdapter publisherAdapter,
            MongoIndexCatalog catalog,
            BucketFence bucketFence,
            InFlightOperations inFlightOperations,
            KeyedMutex keyedMutex,
            DocumentNormalizer documentNormalizer,
            WorkerExecutor workers) {
        this.mongoCollections = mongoCollections;
        this.publisherAdapter = publisherAdapter;
        this.catalog = catalog;
        this.bucketFence = bucketFence;
        this.inFlightOperations = inFlightOperations;
        this.keyedMutex = keyedMutex;
        this.documentNormalizer = documentNormalizer;
        this.workers = workers;
        this.progress = new IndexBuildProgress(mongoCollections, publisherAdapter);
    }

    /** Sets the function that notifies other processes of changed indexes of a bucket. */
    public void setChangePublisher(Function<String, Future<Void>> publisher) {
        changePublisher = publisher;
    }

    /** Declares an index and fills it. */
    public Future<Void> create(String bucket, IndexSpec keys, long schemaEpoch) {
        EpochTask step = new EpochTask(bucket, schemaEpoch);
        return step.run(() -> runSerially(bucket, () -> step.run(() -> createNow(step, keys))));
    }

    /** Removes an index; does nothing when there is none. */
    public Future<Void> drop(String bucket, IndexSpec keys) {
        // two processes may have declared it at the same time
        return runSerially(
                bucket,
                () -> inSequence(
                        catalog.of(bucket).stream()
                                .filter(index -> index.spec().equals(keys))
                                .toList(),
                        this::drop));
    }

    /**
     * Removes all indexes of a bucket once no operation of an older schema epoch is in flight.
     *
     * @param guard throws the reason if the procedure must not continue
     */
    public Future<Void> dropAll(String bucket, Runnable guard) {
        return runSerially(bucket, () -> inFlightOperations
                .awaitCurrent(bucket)
                .compose(gone -> inSequence(catalog.of(bucket), index -> {
                    guard.run();
                    return drop(index);
                })));
    }

    /**
     * Executes work while no index of the bucket is filled or dropped, after dropping those that
     * are not ready.
     */
    public Future<Void> runExclusively(String bucket, Supplier<Future<Void>> work) {
        return runSerially(bucket, () -> inSequence(
                        catalog.of(bucket).stream()
                                .filter(index -> !index.isReady())
                                .toList(),
                        this::drop)
                .compose(dropped -> work.get()));
    }

    /**
     * Replaces definitions by those with the same numbers; to be called within {@link
     * #runExclusively}.
     */
    public Future<Void> replace(List<MongoIndexDefinition> before, List<MongoIndexDefinition> after) {
        return inSequence(after, index -> createInMongo(index).compose(catalog::save))
                .compose(made -> inSequence(before, this::dropInMongo));
    }

    /**
     * Reduces compound indexes to their first path, so that they accept a document that has arrays
     * at two of their paths.
     */
    public Future<Void> reduce(String bucket) {
        List<MongoIndexDefinition> compound = catalog.of(bucket).stream()
                .filter(MongoIndexDefinition::mayBeReduced)
                .toList();
        return inSequence(compound, index -> {
            LOG.warn(
                    "MongoDB takes no two arrays of one object into an index:"
                            + " the one on {} of {} is reduced to its first path",
                    index.spec().keys(),
                    bucket);
            return catalog.save(index.asReduced()).compose(this::createInMongo).compose(made -> dropInMongo(index));
        });
    }

    private Future<Void> createNow(EpochTask step, IndexSpec keys) {
        Optional<MongoIndexDefinition> declared = catalog.find(step.bucket, keys);
        if (declared.filter(MongoIndexDefinition::isReady).isPresent()) {
            return Future.succeededFuture();
        }
        return declared.map(Future::succeededFuture)
                .orElseGet(() -> catalog.declare(step.bucket, keys))
                .compose(index -> fill(step, index).recover(failure -> abortBuild(step, index, failure)));
    }

    private Future<Void> fill(EpochTask step, MongoIndexDefinition declared) {
        // operations that began before the declaration do not write hidden fields for it
        return changePublisher
                .apply(step.bucket)
                .compose(told -> inFlightOperations.awaitCurrent(step.bucket))
                .compose(gone -> step.run(() -> createInMongo(declared)))
                .compose(made -> step.run(() -> makeUnique(made)).map(made))
                .compose(made -> fillHiddenFields(step, made).map(made))
                .compose(full -> step.run(() -> catalog.saveIfDeclared(full.asReady()))
                        .compose(kept -> kept.isPresent() ? Future.succeededFuture() : dropInMongo(full)))
                .compose(ready -> changePublisher.apply(step.bucket))
                .onComplete(done -> progress.discardCount(declared))
                .mapEmpty();
    }

    /**
     * Drops an index that is impossible, because it would refuse writes. An index that could not be
     * filled now stays declared, because it may be filled later.
     */
    private Future<Void> abortBuild(EpochTask step, MongoIndexDefinition index, Throwable failure) {
        Throwable reason = step.reasonAgainst().<Throwable>map(closed -> closed).orElse(failure);
        boolean isFinal = !MongoErrors.of(reason, MAX_BUILD_TIME).code().isServerFault();
        Future<?> dropped = isFinal ? drop(index) : Future.succeededFuture();
        return dropped.transform(done -> Future.failedFuture(reason));
    }

    private Future<Void> drop(MongoIndexDefinition index) {
        // a process that is not notified writes hidden fields that no index uses, which does no
        // harm
        return catalog.remove(index)
                .compose(removed -> changePublisher.apply(index.bucket()).otherwiseEmpty())
                .compose(told -> dropInMongo(index));
    }

    /** Creates the index in MongoDB, or its first path where it cannot be complete. */
    private Future<MongoIndexDefinition> createInMongo(MongoIndexDefinition index) {
        if (index.isOfIds()) {
            return Future.succeededFuture(index);
        }
        return publisherAdapter
                .first(mongoCollections.newest(index.bucket()).createIndex(index.pattern()), MAX_BUILD_TIME)
                .map(made -> index)
                .recover(failure -> MongoErrors.isParallelArraysError(failure) && index.mayBeReduced()
                        ? createInMongo(index.asReduced())
                        : Future.failedFuture(failure));
    }

    /** Drops the index in MongoDB, unless another definition has the same pattern. */
    private Future<Void> dropInMongo(MongoIndexDefinition index) {
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
                        .<Future<Void>>map(declaredMeanwhile ->
                                createInMongo(declaredMeanwhile).mapEmpty())
                        .orElseGet(Future::succeededFuture));
    }

    private Optional<MongoIndexDefinition> sameAs(MongoIndexDefinition index) {
        return catalog.of(index.bucket()).stream()
                .filter(other -> other.pattern().equals(index.pattern()))
                .findFirst();
    }

    private Future<?> makeUnique(MongoIndexDefinition index) {
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

    private Future<Void> fillHiddenFields(EpochTask step, MongoIndexDefinition index) {
        return index.hasHiddenFields()
                ? publisherAdapter.each(
                        mongoCollections.newest(step.bucket).find().batchSize(PAGE_SIZE),
                        PageLimits.bySize(PAGE_SIZE, ObjectStore.PAGE_BYTES, HeapSize::of),
                        (page, bytes) -> step.run(() -> documentNormalizer
                                        .objects(step.bucket, page)
                                        .compose(objects -> fillHiddenFields(index, objects)))
                                .onSuccess(filled -> progress.countFilled(index, page.size()))
                                .map(true))
                : Future.succeededFuture();
    }

    /** Returns the indexes that are being filled with their progress, from 0 to less than 1. */
    public Future<Map<IndexSpec, Double>> unfinished(String bucket) {
        List<MongoIndexDefinition> unready =
                catalog.of(bucket).stream().filter(index -> !index.isReady()).toList();
        Map<IndexSpec, Double> unfinished = new LinkedHashMap<>();
        return inSequence(unready, index -> progress.read(index).onSuccess(part -> unfinished.put(index.spec(), part)))
                .map(all -> unfinished);
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

    private <T> Future<T> runSerially(String bucket, Supplier<Future<T>> chore) {
        return keyedMutex.runExclusively(Set.of("indexes of " + bucket), chore);
    }

    private static <T> Future<Void> inSequence(List<T> items, Function<T, Future<?>> action) {
        Future<?> done = Future.succeededFuture();
        for (T item : items) {
            done = done.compose(before -> action.apply(item));
        }
        return done.mapEmpty();
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
            page.forEach(object -> MongoIndexCatalog.hiddenFieldUpdate(index, object.document())
                    .ifPresent(update -> {
                        filling.ids.add(object.ref().id());
                        filling.updates.add(new UpdateOneModel<>(DocumentIds.state(object), update));
                    }));
            return filling;
        }
    }

    /** A task for one schema epoch of a bucket, which is refused as soon as the epoch changes. */
    private final class EpochTask {

        private final String bucket;
        private final long schemaEpoch;

        private EpochTask(String bucket, long schemaEpoch) {
            this.bucket = bucket;
            this.schemaEpoch = schemaEpoch;
        }

        private <T> Future<T> run(Supplier<Future<T>> work) {
            return reasonAgainst().<Future<T>>map(Future::failedFuture).orElseGet(work);
        }

        private Optional<ApiException> reasonAgainst() {
            try {
                bucketFence.requireOpen(bucket, schemaEpoch);
                return Optional.empty();
            } catch (ApiException closed) {
                return Optional.of(closed);
            }
        }
    }
}
