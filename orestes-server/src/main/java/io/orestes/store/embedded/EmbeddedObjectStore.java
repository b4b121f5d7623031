package io.orestes.store.embedded;

import io.invalidb.query.filter.Filter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.orestes.model.ApiException;
import io.orestes.model.ObjectRef;
import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.model.ReadLevel;
import io.orestes.model.StoredObject;
import io.orestes.model.Tombstone;
import io.orestes.model.WriteOutcome;
import io.orestes.store.Batch;
import io.orestes.store.BucketFence;
import io.orestes.store.DocumentRewrite;
import io.orestes.store.IndexSpec;
import io.orestes.store.MultiBucketRead;
import io.orestes.store.ObjectStore;
import io.orestes.store.ResultBudget;
import io.orestes.store.StoreQuery;
import io.orestes.store.UpdateFunction;
import io.orestes.store.WriteGuard;
import io.orestes.store.embedded.codec.PreEncodedObject;
import io.orestes.store.embedded.codec.StoredDocumentCodec;
import io.orestes.store.embedded.commit.BatchMutation;
import io.orestes.store.embedded.commit.CallerContextPromise;
import io.orestes.store.embedded.commit.CommitGroup;
import io.orestes.store.embedded.commit.Committer;
import io.orestes.store.embedded.commit.CommitterTask;
import io.orestes.store.embedded.commit.DeleteMutation;
import io.orestes.store.embedded.commit.IncrementalTask;
import io.orestes.store.embedded.commit.ObjectMutation;
import io.orestes.store.embedded.commit.PutMutation;
import io.orestes.store.embedded.commit.UpdateMutation;
import io.orestes.store.embedded.database.ColumnFamily;
import io.orestes.store.embedded.database.DataDirectory;
import io.orestes.store.embedded.database.EmbeddedStoreConfig;
import io.orestes.store.embedded.database.RocksDatabase;
import io.orestes.store.embedded.database.StoreOpenException;
import io.orestes.store.embedded.database.StoreOpenException.Reason;
import io.orestes.store.embedded.index.EmbeddedIndexCatalog;
import io.orestes.store.embedded.index.EmbeddedIndexDefinition;
import io.orestes.store.embedded.query.EmbeddedQueryExecutor;
import io.orestes.store.embedded.query.QueryStatistics;
import io.orestes.store.embedded.query.QueryTimeLimit;
import io.orestes.store.embedded.task.BucketDrop;
import io.orestes.store.embedded.task.FencedTask;
import io.orestes.store.embedded.task.IndexBuild;
import io.orestes.store.embedded.task.IndexDrop;
import io.orestes.store.embedded.task.RewriteTask;
import io.orestes.store.embedded.task.TombstoneSweep;
import io.orestes.store.embedded.task.TruncateTask;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.bson.BsonDocument;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An object store in a RocksDB database of this process, with one writer thread and pools of
 * readers. A few threads read single objects and pages, and as many run queries, so that no read
 * waits for a query. The calling thread encodes what it writes and waits for nothing.
 */
public final class EmbeddedObjectStore implements ObjectStore {

    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedObjectStore.class);

    /**
     * Maximum number of waiting queries; further ones fail at once instead of after a long wait.
     */
    private static final int MAX_WAITING_QUERIES = 1_000;

    /** Time in which a rewrite changes some 300,000 objects to their new form. */
    private static final Duration MAX_FENCE_WAIT = Duration.ofSeconds(5);

    private static final Duration SWEEP_INTERVAL = Duration.ofMinutes(30);

    private final Vertx vertx;
    private final InstantSource clock;
    private final RocksDatabase rocksDatabase;
    private final EmbeddedIndexCatalog catalog;
    private final QueryStatistics statistics = new QueryStatistics();
    private final QueryTimeLimit queryLimit;
    private final EmbeddedQueryExecutor embeddedQueryExecutor;
    private final ReaderPool readerPool;
    private final ReaderPool queryRunners;
    private final ResultBudget room = ResultBudget.ofHeap();
    private final Committer committer;
    private final BucketFence bucketFence;
    private final long sweepTimer;
    private final Promise<Void> closed = Promise.promise();
    private final Thread closer = new Thread(this::release, "orestes-store-closer");

    private EmbeddedObjectStore(
            Vertx vertx,
            EmbeddedStoreConfig config,
            InstantSource clock,
            RocksDatabase rocksDatabase,
            EmbeddedIndexCatalog catalog) {
        this.vertx = vertx;
        this.clock = clock;
        this.rocksDatabase = rocksDatabase;
        this.catalog = catalog;
        this.queryLimit = new QueryTimeLimit(config.queryBudget(), System::nanoTime);
        this.embeddedQueryExecutor = new EmbeddedQueryExecutor(rocksDatabase, catalog, statistics, queryLimit);
        this.readerPool = new ReaderPool(vertx, "reader", config.readThreads(), Integer.MAX_VALUE);
        this.queryRunners = new ReaderPool(vertx, "query", config.readThreads(), MAX_WAITING_QUERIES);
        this.bucketFence = new BucketFence(vertx, MAX_FENCE_WAIT);
        this.committer = new Committer(rocksDatabase, catalog, clock);
        this.sweepTimer = vertx.setPeriodic(0, SWEEP_INTERVAL.toMillis(), timer -> sweep());
    }

    /**
     * Opens the store in its directory, and creates it if there is none. Blocks while it reads the
     * log of the last run.
     */
    public static EmbeddedObjectStore open(Vertx vertx, EmbeddedStoreConfig config) {
        return open(vertx, config, InstantSource.system());
    }

    /**
     * Opens the store with a clock of the caller's choice.
     *
     * @throws StoreOpenException if the directory cannot be used; nothing in it was changed
     */
    public static EmbeddedObjectStore open(Vertx vertx, EmbeddedStoreConfig config, InstantSource clock) {
        RocksDatabase rocksDatabase = new DataDirectory(config).open();
        EmbeddedObjectStore store =
                new EmbeddedObjectStore(vertx, config, clock, rocksDatabase, catalogOf(rocksDatabase, config));
        store.committer.start();
        store.resumeBuilds();
        return store;
    }

    /** Resumes the filling of indexes that the last process left unfinished. */
    private void resumeBuilds() {
        for (EmbeddedIndexDefinition index : catalog.unready()) {
            LOG.info("The filling of the index of {} on {} continues", index.bucket(), index.spec());
            createIndex(index.bucket(), index.spec())
                    .onFailure(failure ->
                            LOG.info("The index of {} was not filled: {}", index.bucket(), failure.getMessage()));
        }
    }

    private static EmbeddedIndexCatalog catalogOf(RocksDatabase rocksDatabase, EmbeddedStoreConfig config) {
        try {
            return EmbeddedIndexCatalog.load(rocksDatabase);
        } catch (RuntimeException e) {
            rocksDatabase.close();
            throw new StoreOpenException(Reason.CORRUPTED, config.directory(), "has an unreadable list of indexes", e);
        }
    }

    /** Returns the counters of the work of queries. */
    public QueryStatistics statistics() {
        return statistics;
    }

    @Override
    public Future<Optional<StoredObject>> find(ObjectRef ref, ReadLevel level) {
        return bucketFence.read(ref.bucket(), () -> readerPool.call(() -> read(ref)));
    }

    @Override
    public Future<Map<ObjectRef, StoredObject>> findAll(Collection<ObjectRef> refs) {
        return MultiBucketRead.readAll(
                refs,
                (bucket, some) -> bucketFence.read(
                        bucket,
                        () -> readerPool.call(() ->
                                some.stream().flatMap(ref -> read(ref).stream()).toList())));
    }

    private Optional<StoredObject> read(ObjectRef ref) {
        return rocksDatabase
                .get(ColumnFamily.OBJECTS, StoredDocumentCodec.key(ref.id()))
                .map(encoded -> StoredDocumentCodec.whole(ref, encoded));
    }

    @Override
    public long schemaEpoch(String bucket) {
        return bucketFence.schemaEpoch(bucket);
    }

    @Override
    public Future<StoredObject> insert(ObjectRef ref, BsonDocument fields, long schemaEpoch) {
        Batch.InsertOperation insert = new Batch.InsertOperation(ref, fields, schemaEpoch);
        return write(callerPromise -> insertion(insert, callerPromise));
    }

    @Override
    public Future<StoredObject> replace(
            ObjectRef ref, BsonDocument fields, long schemaEpoch, Precondition precondition, Principal writer) {
        Batch.ReplaceOperation replace = new Batch.ReplaceOperation(ref, fields, schemaEpoch, precondition);
        return write(callerPromise -> replacement(replace, writer, callerPromise));
    }

    @Override
    public Future<StoredObject> update(
            ObjectRef ref,
            UpdateFunction updateFunction,
            long schemaEpoch,
            Precondition precondition,
            Principal writer) {
        Batch.UpdateOperation update = new Batch.UpdateOperation(ref, updateFunction, schemaEpoch, precondition);
        return write(callerPromise -> revision(update, update.guard(writer), callerPromise));
    }

    @Override
    public Future<Optional<Tombstone>> delete(
            ObjectRef ref, long schemaEpoch, Precondition precondition, Principal writer) {
        Batch.DeleteOperation delete = new Batch.DeleteOperation(ref, schemaEpoch, precondition);
        return write(callerPromise -> deletion(delete, writer, callerPromise));
    }

    @Override
    public Future<List<WriteOutcome>> commit(Batch batch) {
        return write(callerPromise -> new BatchMutation(
                batch,
                batch.writes().stream()
                        .<ObjectMutation<?>>map(change -> mutation(change, batch.writer()))
                        .toList(),
                callerPromise));
    }

    private ObjectMutation<?> mutation(Batch.StoreOperation write, Principal writer) {
        return write.fold(
                insert -> insertion(insert, CallerContextPromise.forCurrentContext(vertx)),
                replace -> replacement(replace, writer, CallerContextPromise.forCurrentContext(vertx)),
                update -> revision(update, update.guardInBatch(writer), CallerContextPromise.forCurrentContext(vertx)),
                delete -> deletion(delete, writer, CallerContextPromise.forCurrentContext(vertx)));
    }

    private PutMutation insertion(Batch.InsertOperation write, CallerContextPromise<StoredObject> callerPromise) {
        WriteGuard guard = write.fenced(bucketFence, write.guard(Principal.SERVER));
        return new PutMutation(PreEncodedObject.copyOf(write.ref(), write.fields()), guard, callerPromise);
    }

    private PutMutation replacement(
            Batch.ReplaceOperation write, Principal writer, CallerContextPromise<StoredObject> callerPromise) {
        WriteGuard guard = write.fenced(bucketFence, write.guard(writer));
        return new PutMutation(PreEncodedObject.copyOf(write.ref(), write.fields()), guard, callerPromise);
    }

    private UpdateMutation revision(
            Batch.UpdateOperation write, WriteGuard guard, CallerContextPromise<StoredObject> callerPromise) {
        return new UpdateMutation(write.ref(), write.update(), write.fenced(bucketFence, guard), callerPromise);
    }

    private DeleteMutation deletion(
            Batch.DeleteOperation write, Principal writer, CallerContextPromise<Optional<Tombstone>> callerPromise) {
        WriteGuard guard = write.fenced(bucketFence, write.guard(writer));
        return new DeleteMutation(write.ref(), guard, callerPromise);
    }

    @Override
    public Future<List<StoredObject>> query(StoreQuery query) {
        return room.readWithin(query.bound(), share -> run(query, share.part()));
    }

    @Override
    public <T> Future<T> query(List<StoreQuery> together, Function<List<List<StoredObject>>, Future<T>> use) {
        return room.readAllWithin(together, this::run, use);
    }

    private Future<List<StoredObject>> run(StoreQuery query, ResultBudget.PartialResultShare part) {
        return bucketFence.read(query.bucket(), () -> queryRunners.call(() -> embeddedQueryExecutor.run(query, part)));
    }

    @Override
    public Future<Void> visit(String bucket, Filter filter, ReadLevel level, Consumer<StoredObject> visitor) {
        return bucketFence
                .read(
                        bucket,
                        () -> queryRunners.call(() -> {
                            embeddedQueryExecutor.visit(
                                    bucket, filter, document -> visitor.accept(StoredDocumentCodec.object(document)));
                            return true;
                        }))
                .mapEmpty();
    }

    @Override
    public Future<Long> count(String bucket, Filter filter, ReadLevel level) {
        return bucketFence.read(bucket, () -> queryRunners.call(() -> embeddedQueryExecutor.count(bucket, filter)));
    }

    @Override
    public Future<List<StoredObject>> scan(String bucket, String after, int limit) {
        return bucketFence.read(bucket, () -> readerPool.call(() -> embeddedQueryExecutor.scan(bucket, after, limit)));
    }

    @Override
    public Future<Void> truncate(String bucket, long schemaEpoch, Consumer<List<Tombstone>> deleted) {
        return change(bucket, schemaEpoch, callerPromise -> truncation(bucket, deleted, callerPromise));
    }

    @Override
    public Future<Void> drop(String bucket, Runnable guard, Consumer<List<Tombstone>> deleted) {
        bucketFence.drop(bucket);
        return write(
                callerPromise -> new BucketDrop(catalog, bucket, guard, truncation(bucket, deleted, callerPromise)));
    }

    @Override
    public Future<Void> createIndex(String bucket, IndexSpec keys, long schemaEpoch) {
        return change(
                bucket,
                schemaEpoch,
                callerPromise -> new IndexBuild(rocksDatabase, catalog, bucket, keys, callerPromise));
    }

    @Override
    public Future<Void> dropIndex(String bucket, IndexSpec keys) {
        return change(
                bucket, schemaEpoch(bucket), callerPromise -> new IndexDrop(catalog, bucket, keys, callerPromise));
    }

    @Override
    public <T> Future<T> runFenced(Set<String> buckets, Supplier<Future<T>> write) {
        return bucketFence.writeWithRetry(buckets, write);
    }

    @Override
    public Future<Void> rewrite(Map<String, DocumentRewrite> rewrites, Runnable done) {
        bucketFence.close(rewrites.keySet());
        Future<Void> rewritten = this.<Void>write(
                        callerPromise -> new RewriteTask(rocksDatabase, catalog, clock, rewrites, callerPromise))
                .compose(all -> {
                    done.run();
                    return Future.succeededFuture();
                });
        return rewritten.onComplete(outcome -> bucketFence.open(rewrites.keySet(), rewritten));
    }

    @Override
    public Future<List<IndexSpec>> indexes(String bucket) {
        return readerPool.call(() -> catalog.ready(bucket).stream()
                .map(EmbeddedIndexDefinition::spec)
                .toList());
    }

    @Override
    public Future<Map<IndexSpec, Double>> unfinishedIndexes(String bucket) {
        return readerPool.call(() -> catalog.unready().stream()
                .filter(index -> index.bucket().equals(bucket))
                .collect(Collectors.toMap(
                        EmbeddedIndexDefinition::spec, catalog::progress, (one, other) -> one, LinkedHashMap::new)));
    }

    /** Registers the meters of this store. */
    public void meter(MeterRegistry registry) {
        Gauge.builder("orestes.store.indexes.unfinished", catalog, known -> known.unready()
                        .size())
                .description("Indexes that are being filled")
                .register(registry);
        FunctionCounter.builder("orestes.store.objects.examined", statistics, QueryStatistics::objectsExamined)
                .description("Objects that queries read to see whether they match")
                .register(registry);
    }

    @Override
    public Future<Void> close() {
        synchronized (closer) {
            if (closer.getState() == Thread.State.NEW) {
                closer.start();
            }
        }
        return closed.future();
    }

    private TruncateTask truncation(
            String bucket, Consumer<List<Tombstone>> deleted, CallerContextPromise<Void> callerPromise) {
        return new TruncateTask(
                rocksDatabase, () -> new CommitGroup(rocksDatabase, catalog, clock), bucket, deleted, callerPromise);
    }

    private <T> Future<T> change(
            String bucket, long schemaEpoch, Function<CallerContextPromise<T>, IncrementalTask> chore) {
        return write(callerPromise -> new FencedTask(bucketFence, bucket, schemaEpoch, chore.apply(callerPromise)));
    }

    private <T> Future<T> write(Function<CallerContextPromise<T>, CommitterTask> work) {
        CallerContextPromise<T> callerPromise = CallerContextPromise.forCurrentContext(vertx);
        try {
            committer.submit(work.apply(callerPromise));
        } catch (RuntimeException e) {
            return Future.failedFuture(ApiException.of(e));
        }
        return callerPromise.future();
    }

    private void sweep() {
        try {
            committer.submit(new TombstoneSweep(rocksDatabase, clock));
        } catch (ApiException e) {
            LOG.debug("No sweep this time: {}", e.message());
        }
    }

    private void release() {
        try {
            boolean unused = vertx.cancelTimer(sweepTimer);
            queryLimit.stop();
            queryRunners.stop();
            committer.stop();
            readerPool.stop();
            rocksDatabase.close();
            closed.complete();
        } catch (InterruptedException | RuntimeException e) {
            closed.fail(e);
        }
    }
}
