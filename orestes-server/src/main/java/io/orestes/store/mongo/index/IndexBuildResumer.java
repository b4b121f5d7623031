package io.orestes.store.mongo.index;

import io.orestes.async.Contexts;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.store.BucketFence;
import io.orestes.store.mongo.driver.StoreCallGate;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The resumer of index builds that departed processes left unfinished. It retries after temporary
 * failures.
 */
public final class IndexBuildResumer {

    private static final Logger LOG = LoggerFactory.getLogger(IndexBuildResumer.class);

    private static final long RETRY_DELAY_MILLIS = 10_000;

    private final StoreCallGate gate;
    private final DeclaredIndexCatalog catalog;
    private final IndexManager indexManager;
    private final BucketFence bucketFence;
    private final Context home;

    /** True if a retry is scheduled. Set on the store's context. */
    private boolean isRetryDue;

    public IndexBuildResumer(
            StoreCallGate gate, DeclaredIndexCatalog catalog, IndexManager indexManager, BucketFence bucketFence) {
        this.gate = gate;
        this.catalog = catalog;
        this.indexManager = indexManager;
        this.bucketFence = bucketFence;
        this.home = gate.home();
    }

    /**
     * Resumes the builds, and notifies other processes of changed indexes from now on.
     *
     * @param indexesChanged notifies all others that the indexes of a bucket have changed
     */
    public void join(Function<String, Future<Void>> indexesChanged) {
        home.runOnContext(now -> {
            indexManager.setChangePublisher(bucket -> Contexts.on(home, indexesChanged.apply(bucket)));
            resumeDeclared();
        });
    }

    /** Reads the declared indexes and resumes the builds of those that are not ready. */
    public void resume() {
        home.runOnContext(now -> catalog.load()
                .onSuccess(loaded -> resumeDeclared())
                .onFailure(failure -> retryLater("The indexes cannot be read: " + failure.getMessage())));
    }

    private void resumeDeclared() {
        for (MongoIndexDefinition index : catalog.unready()) {
            LOG.info("The filling of the index of {} on {} continues", index.bucket(), index.spec());
            long schemaEpoch = bucketFence.schemaEpoch(index.bucket());
            gate.runInterruptibly(() -> indexManager.create(index.bucket(), index.spec(), schemaEpoch))
                    .onFailure(failure -> handleFailure(index, failure));
        }
    }

    private void handleFailure(MongoIndexDefinition index, Throwable failure) {
        String reason = "The index of " + index.bucket() + " was not filled: " + failure.getMessage();
        if (ApiException.of(failure).code() == ErrorCode.UNAVAILABLE) {
            retryLater(reason);
        } else {
            LOG.info(reason);
        }
    }

    /** Schedules one retry for all indexes that wait for it. */
    private void retryLater(String reason) {
        home.runOnContext(now -> {
            LOG.info(reason);
            if (!isRetryDue && !gate.isClosed()) {
                isRetryDue = true;
                long unused = home.owner().setTimer(RETRY_DELAY_MILLIS, later -> {
                    isRetryDue = false;
                    resume();
                });
            }
        });
    }
}
