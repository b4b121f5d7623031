package io.orestes.store.mongo.index;

import io.orestes.async.InFlightOperations;
import io.orestes.async.KeyedMutex;
import io.orestes.async.Loop;
import io.orestes.model.ApiException;
import io.orestes.store.BucketFence;
import io.orestes.store.IndexSpec;
import io.orestes.store.mongo.driver.MongoErrors;
import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The manager of indexes, which builds, fills and drops the indexes that the {@link
 * DeclaredIndexCatalog} declares. The tasks of one bucket run one after the other. Used on the
 * store's context only.
 */
public final class IndexManager {

    private static final Logger LOG = LoggerFactory.getLogger(IndexManager.class);

    private final DeclaredIndexCatalog catalog;
    private final IndexBuilder indexBuilder;
    private final BucketFence bucketFence;
    private final InFlightOperations inFlightOperations;
    private final KeyedMutex keyedMutex;
    private Function<String, Future<Void>> changePublisher = bucket -> Future.succeededFuture();

    public IndexManager(
            DeclaredIndexCatalog catalog,
            IndexBuilder indexBuilder,
            BucketFence bucketFence,
            InFlightOperations inFlightOperations,
            KeyedMutex keyedMutex) {
        this.catalog = catalog;
        this.indexBuilder = indexBuilder;
        this.bucketFence = bucketFence;
        this.inFlightOperations = inFlightOperations;
        this.keyedMutex = keyedMutex;
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
                () -> Loop.forEach(
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
                .compose(gone -> Loop.forEach(catalog.of(bucket), index -> {
                    guard.run();
                    return drop(index);
                })));
    }

    /**
     * Executes work while no index of the bucket is filled or dropped, after dropping those that
     * are not ready.
     */
    public Future<Void> runExclusively(String bucket, Supplier<Future<Void>> work) {
        return runSerially(bucket, () -> Loop.forEach(
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
        return Loop.forEach(after, index -> indexBuilder.create(index).compose(catalog::save))
                .compose(made -> Loop.forEach(before, indexBuilder::drop));
    }

    /**
     * Reduces compound indexes to their first path, so that they accept a document that has arrays
     * at two of their paths.
     */
    public Future<Void> reduce(String bucket) {
        List<MongoIndexDefinition> compound = catalog.of(bucket).stream()
                .filter(MongoIndexDefinition::mayBeReduced)
                .toList();
        return Loop.forEach(compound, index -> {
            LOG.warn(
                    "MongoDB takes no two arrays of one object into an index:"
                            + " the one on {} of {} is reduced to its first path",
                    index.spec().keys(),
                    bucket);
            return catalog.save(index.asReduced())
                    .compose(indexBuilder::create)
                    .compose(made -> indexBuilder.drop(index));
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
                .compose(published -> inFlightOperations.awaitCurrent(step.bucket))
                .compose(gone -> step.run(() -> indexBuilder.create(declared)))
                .compose(made -> step.run(() -> indexBuilder.makeUnique(made)).map(made))
                .compose(made ->
                        indexBuilder.fillHiddenFields(made, step::requireOpen).map(made))
                .compose(full -> step.run(() -> catalog.saveIfDeclared(full.asReady()))
                        .compose(kept -> kept.isPresent() ? Future.succeededFuture() : indexBuilder.drop(full)))
                .compose(ready -> changePublisher.apply(step.bucket))
                .onComplete(done -> indexBuilder.progress().discardCount(declared))
                .mapEmpty();
    }

    /**
     * Drops an index that is impossible, because it would refuse writes. An index that could not be
     * filled now stays declared, because it may be filled later.
     */
    private Future<Void> abortBuild(EpochTask step, MongoIndexDefinition index, Throwable failure) {
        Throwable reason = step.reasonAgainst().<Throwable>map(closed -> closed).orElse(failure);
        boolean isFinal =
                !MongoErrors.of(reason, IndexBuilder.MAX_BUILD_TIME).code().isServerFault();
        Future<?> dropped = isFinal ? drop(index) : Future.succeededFuture();
        return dropped.transform(done -> Future.failedFuture(reason));
    }

    private Future<Void> drop(MongoIndexDefinition index) {
        // a process that is not notified writes hidden fields that no index uses, which does no
        // harm
        return catalog.remove(index)
                .compose(removed -> changePublisher.apply(index.bucket()).otherwiseEmpty())
                .compose(published -> indexBuilder.drop(index));
    }

    /** Returns the indexes that are being filled with their progress, from 0 to less than 1. */
    public Future<Map<IndexSpec, Double>> unfinished(String bucket) {
        List<MongoIndexDefinition> unready =
                catalog.of(bucket).stream().filter(index -> !index.isReady()).toList();
        Map<IndexSpec, Double> unfinished = new LinkedHashMap<>();
        return Loop.forEach(unready, index -> indexBuilder
                        .progress()
                        .read(index)
                        .onSuccess(part -> unfinished.put(index.spec(), part)))
                .map(all -> unfinished);
    }

    private <T> Future<T> runSerially(String bucket, Supplier<Future<T>> chore) {
        return keyedMutex.runExclusively(Set.of("indexes of " + bucket), chore);
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

        private Future<Void> requireOpen() {
            return run(Future::succeededFuture);
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
