package io.orestes.store.mongo;

import com.mongodb.WriteConcern;
import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoDatabase;
import io.invalidb.query.filter.Filter;
import io.orestes.async.Batcher;
import io.orestes.async.Contexts;
import io.orestes.async.InFlightOperations;
import io.orestes.async.KeyedMutex;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.model.ReadLevel;
import io.orestes.model.StoredObject;
import io.orestes.model.Tombstone;
import io.orestes.model.WriteOutcome;
import io.orestes.store.Batch;
import io.orestes.store.BucketFence;
import io.orestes.store.ChangeFeed;
import io.orestes.store.DocumentRewrite;
import io.orestes.store.IndexSpec;
import io.orestes.store.MultiBucketRead;
import io.orestes.store.ObjectStore;
import io.orestes.store.ResultBudget;
import io.orestes.store.SharedStore;
import io.orestes.store.StoreQuery;
import io.orestes.store.UpdateFunction;
import io.orestes.store.mongo.changefeed.MongoChangeFeed;
import io.orestes.store.mongo.document.CurrentObject;
import io.orestes.store.mongo.document.DocumentMapper;
import io.orestes.store.mongo.document.DocumentNormalizer;
import io.orestes.store.mongo.document.MongoCollections;
import io.orestes.store.mongo.document.TombstoneCollection;
import io.orestes.store.mongo.driver.MongoConfig;
import io.orestes.store.mongo.driver.MongoDriver;
import io.orestes.store.mongo.driver.MongoErrors;
import io.orestes.store.mongo.driver.MongoSessionFactory;
import io.orestes.store.mongo.driver.PublisherAdapter;
import io.orestes.store.mongo.driver.TransactionAborter;
import io.orestes.store.mongo.driver.TransactionRunner;
import io.orestes.store.mongo.index.IndexManager;
import io.orestes.store.mongo.index.LegacyTextIndexes;
import io.orestes.store.mongo.index.MongoIndexCatalog;
import io.orestes.store.mongo.index.MongoIndexDefinition;
import io.orestes.store.mongo.probe.ServerCapabilities;
import io.orestes.store.mongo.probe.ServerProbe;
import io.orestes.store.mongo.probe.TopologyCheck;
import io.orestes.store.mongo.probe.UnusableServerException;
import io.orestes.store.mongo.read.BatchLoader;
import io.orestes.store.mongo.read.DocumentFinder;
import io.orestes.store.mongo.read.MongoQueryExecutor;
import io.orestes.store.mongo.read.ReadIndex;
import io.orestes.store.mongo.write.BucketRewriter;
import io.orestes.store.mongo.write.BucketTruncator;
import io.orestes.store.mongo.write.ConflictDiagnosis;
import io.orestes.store.mongo.write.InsertBatcher;
import io.orestes.store.mongo.write.NoOpWriteConfirmation;
import io.orestes.store.mongo.write.OptimisticWriter;
import io.orestes.store.mongo.write.WriteCommands;
import io.orestes.store.mongo.write.WritePlanner;
import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.bson.BsonDocument;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An object store in MongoDB, with one collection for each class and optimistic concurrency
 * control. The store has one context for its state of writers, indexes and fences; nothing blocks
 * there. Writers of one object in this process run one after the other. Against other processes,
 * every write names the version that it replaces. A batch, which no single command can write, is a
 * transaction of MongoDB.
 */
public final class MongoObjectStore implements ObjectStore, SharedStore {

    private static final Logger LOG = LoggerFactory.getLogger(MongoObjectStore.class);

    /** Maximum time in which reads wait for a rewrite. */
    private static final Duration MAX_FENCE_WAIT = Duration.ofSeconds(5);

    /** Maximum number of tombstones that one request reads. */
    private static final int MAX_TOMBSTONES_READ = 500;

    private static final String STORE_KEY = "";
    private static final long RESUMPTION_MILLIS = 10_000;

    private final Vertx vertx;
    private final MongoConfig config;
    private final String process;
    private final MongoDriver mongoDriver;
    private final Context home;
    private final TransactionAborter open;
    private final TransactionRunner transactionRunner;
    private final ServerCapabilities serverCapabilities;
    private final WorkerExecutor workers;
    private final BucketFence bucketFence;
    private final InFlightOperations inFlightOperations = new InFlightOperations();
    private final InFlightOperations calls = new InFlightOperations();
    private final MongoIndexCatalog catalog;
    private final IndexManager indexManager;
    private final BatchLoader batchLoader;
    private final MongoQueryExecutor mongoQueryExecutor;

    /** Empty if the server has no linearizable reads, as are the linearizable look-ups. */
    private final Optional<ReadIndex> readIndex;

    private final Optional<BatchLoader> linearizableLoader;
    private final ResultBudget room = ResultBudget.ofHeap();
    private final OptimisticWriter optimisticWriter;
    private final BucketTruncator bucketTruncator;
    private final BucketRewriter bucketRewriter;
    private final DocumentMapper documentMapper;
    private final ChangeFeed changeFeed;
    private final MongoCollections mongoCollections;
    private final PublisherAdapter publisherAdapter;

    /** Set on the store's context, as are all fields below. */
    private boolean isResumptionDue;

    private Optional<Future<Void>> closing = Optional.empty();

    private MongoObjectStore(
            Vertx vertx,
            MongoConfig config,
            String process,
            InstantSource clock,
            MongoDriver mongoDriver,
            Context home,
            ServerCapabilities serverCapabilities) {
        this.vertx = vertx;
        this.config = config;
        this.process = process;
        this.mongoDriver = mongoDriver;
        this.home = home;
        this.serverCapabilities = serverCapabilities;
        this.workers = vertx.createSharedWorkerExecutor("orestes-store-mongo", 4);
        this.bucketFence = new BucketFence(vertx, MAX_FENCE_WAIT);
        this.publisherAdapter = new PublisherAdapter(vertx, home, config.responseTimeout());
        MongoClient client = mongoDriver.client();
        MongoSessionFactory mongoSessionFactory = new MongoSessionFactory(client, publisherAdapter);
        this.open = new TransactionAborter(
                client.getDatabase(MongoCollections.ADMIN), publisherAdapter, config.processNames());
        MongoDatabase database = client.getDatabase(config.database()).withWriteConcern(WriteConcern.MAJORITY);
        this.mongoCollections = new MongoCollections(client.getDatabase(MongoCollections.ADMIN), database);
        KeyedMutex keyedMutex = new KeyedMutex(home);
        this.catalog = new MongoIndexCatalog(mongoCollections, publisherAdapter);
        this.documentMapper = new DocumentMapper();
        TombstoneCollection tombstoneCollection = new TombstoneCollection(mongoCollections, publisherAdapter);
        DocumentNormalizer documentNormalizer = new DocumentNormalizer(
                mongoCollections, publisherAdapter, tombstoneCollection, catalog, documentMapper, clock);
        WritePlanner writePlanner = new WritePlanner(catalog, clock);
        this.readIndex = serverCapabilities.supportsLinearizableReads()
                ? Optional.of(new ReadIndex(
                        home,
                        mongoSessionFactory,
                        publisherAdapter,
                        mongoCollections.linearizable(),
                        config.maxConfirmationTime()))
                : Optional.empty();
        DocumentFinder primary = DocumentFinder.newest(mongoCollections, publisherAdapter);
        Optional<DocumentFinder> linearizable = readIndex.map(index -> DocumentFinder.linearizable(
                index,
                mongoCollections,
                publisherAdapter,
                config.maxConfirmationTime().toMillis()));
        DocumentFinder confirming = linearizable.orElse(primary);
        ConflictDiagnosis conflictDiagnosis = new ConflictDiagnosis(confirming, catalog);
        this.indexManager = new IndexManager(
                mongoCollections,
                publisherAdapter,
                catalog,
                bucketFence,
                inFlightOperations,
                keyedMutex,
                documentNormalizer,
                workers);
        Function<DocumentFinder, BatchLoader> lookUpsBy = finder -> new BatchLoader(home, finder, documentNormalizer);
        this.batchLoader = lookUpsBy.apply(DocumentFinder.committed(mongoCollections, publisherAdapter));
        this.linearizableLoader = linearizable.map(lookUpsBy);
        PublisherAdapter slow =
                new PublisherAdapter(vertx, home, config.responseTimeout().plus(config.queryBudget()));
        this.mongoQueryExecutor = new MongoQueryExecutor(
                home, mongoCollections, slow, catalog, documentNormalizer, workers, config.queryBudget());
        WriteCommands writeCommands =
                new WriteCommands(mongoCollections, publisherAdapter, tombstoneCollection, documentNormalizer);
        BatchLoader newest = lookUpsBy.apply(primary);
        Optional<NoOpWriteConfirmation> confirmation = linearizableLoader.map(NoOpWriteConfirmation::new);
        Batcher<ObjectRef, Long> ends = new Batcher<>(
                home,
                MAX_TOMBSTONES_READ,
                asked -> Batcher.completeAll(
                        asked,
                        tombstoneCollection.endsOfLastLives(Batcher.payloads(asked)),
                        (found, ref) -> found.getOrDefault(ref, 0L)));
        this.transactionRunner = new TransactionRunner(vertx, mongoSessionFactory, publisherAdapter, open);
        this.optimisticWriter = new OptimisticWriter(
                vertx,
                mongoCollections,
                publisherAdapter,
                tombstoneCollection,
                writeCommands,
                new InsertBatcher(home, writeCommands, transactionRunner),
                newest,
                confirmation,
                ends,
                writePlanner,
                conflictDiagnosis,
                bucketFence,
                keyedMutex,
                inFlightOperations,
                indexManager,
                transactionRunner,
                config.responseTimeout());
        this.bucketTruncator = new BucketTruncator(
                vertx,
                mongoCollections,
                confirming,
                publisherAdapter,
                writeCommands,
                writePlanner,
                keyedMutex,
                inFlightOperations,
                transactionRunner);
        this.bucketRewriter = new BucketRewriter(
                mongoCollections, publisherAdapter, catalog, indexManager, writePlanner, documentNormalizer);
        this.changeFeed = new MongoChangeFeed(
                this::call,
                mongoSessionFactory,
                mongoCollections,
                publisherAdapter,
                documentNormalizer,
                tombstoneCollection,
                keyedMutex,
                optimisticWriter,
                clock);
    }

    /**
     * Connects and probes the server; fails with {@link UnusableServerException} if objects would
     * not be safe there.
     */
    public static Future<MongoObjectStore> open(Vertx vertx, MongoConfig config) {
        return open(vertx, config, InstantSource.system(), ServerProbe::run).onSuccess(MongoObjectStore::report);
    }

    /** Opens a store with a clock of the caller's choice, and without a probe. */
    static Future<MongoObjectStore> openUnprobed(Vertx vertx, MongoConfig config, InstantSource clock) {
        return open(
                vertx,
                config,
                clock,
                serverProbe -> Future.succeededFuture(new ServerCapabilities("of some version", true, List.of())));
    }

    private static Future<MongoObjectStore> open(
            Vertx vertx,
            MongoConfig config,
            InstantSource clock,
            Function<ServerProbe, Future<ServerCapabilities>> look) {
        String process = config.processName();
        Context home = vertx.getOrCreateContext();
        TopologyCheck topology = new TopologyCheck(config);
        MongoDriver mongoDriver = new MongoDriver(config, process, topology);
        MongoClient client = mongoDriver.client();
        PublisherAdapter publisherAdapter = new PublisherAdapter(vertx, home, config.responseTimeout());
        MongoSessionFactory mongoSessionFactory = new MongoSessionFactory(client, publisherAdapter);
        TransactionAborter open = new TransactionAborter(
                client.getDatabase(MongoCollections.ADMIN), publisherAdapter, config.processNames());
        ServerProbe serverProbe = new ServerProbe(
                client.getDatabase(config.database()),
                topology,
                mongoSessionFactory,
                new TransactionRunner(vertx, mongoSessionFactory, publisherAdapter, open),
                open,
                home,
                publisherAdapter,
                config.responseTimeout());
        return onContext(home, vertx, () -> Contexts.on(home, topology.check(vertx))
                .compose(replicated -> look.apply(serverProbe))
                .map(serverCapabilities ->
                        new MongoObjectStore(vertx, config, process, clock, mongoDriver, home, serverCapabilities))
                .compose(store -> store.begin().map(store))
                .onFailure(failure -> mongoDriver.close())
                .recover(failure ->
                        Future.failedFuture(UnusableServerException.of(failure, config.hostsAndDatabase()))));
    }

    private void report() {
        LOG.info(
                "Objects are in {}; {}",
                name(),
                missing().isEmpty() ? "it has all that is needed" : "it lacks " + String.join("; ", missing()));
    }

    /** Returns product and version of the server, e.g. {@code MongoDB 6.0.5, replica set}. */
    public String name() {
        return serverCapabilities.name();
    }

    /** Returns the missing features of the server, each with its consequence. */
    public List<String> missing() {
        return serverCapabilities.missing();
    }

    /** Returns the feed of all writes, also of other programs. */
    public ChangeFeed changes() {
        return changeFeed;
    }

    /** Returns the number of skipped documents that cannot be objects. */
    public long skippedCount() {
        return documentMapper.skippedCount();
    }

    private Future<?> begin() {
        // without other processes, no open transaction can belong to a live one
        return (config.isShared() ? Future.<Void>succeededFuture() : open.abortAllBut(""))
                .compose(ended -> mongoCollections.prepare(publisherAdapter))
                .compose(ready -> LegacyTextIndexes.dropAll(mongoCollections, publisherAdapter))
                .compose(ready -> catalog.load());
    }

    @Override
    public void evictBefore(WriteOutcome later) {
        home.runOnContext(now -> optimisticWriter.evictBefore(later));
    }

    @Override
    public void join(Function<String, Future<Void>> indexesChanged) {
        home.runOnContext(now -> {
            indexManager.setChangePublisher(bucket -> Contexts.on(home, indexesChanged.apply(bucket)));
            resumeBuilds();
        });
    }

    @Override
    public String processName() {
        return process;
    }

    @Override
    public Future<Void> abortTransactionsOf(String other) {
        return call(() -> open.abort(other));
    }

    @Override
    public Future<Void> abortTransactionsOfOthers() {
        return call(() -> open.abortAllBut(process));
    }

    @Override
    public Future<Void> reloadIndexes(String bucket) {
        return call(() -> catalog.load().compose(loaded -> inFlightOperations.awaitCurrent(bucket)));
    }

    @Override
    public Future<Void> pause(Set<String> paused) {
        bucketFence.close(paused);
        return call(() -> Future.join(
                        paused.stream().map(inFlightOperations::awaitCurrent).toList())
                .mapEmpty());
    }

    @Override
    public Future<Void> resume(Set<String> resumed, Set<String> dropped) {
        return call(() -> catalog.load().compose(loaded -> {
            dropped.forEach(bucketFence::drop);
            bucketFence.open(resumed, Future.succeededFuture());
            return Future.succeededFuture();
        }));
    }

    @Override
    public void resumeIndexBuilds() {
        home.runOnContext(now -> catalog.load()
                .onSuccess(loaded -> resumeBuilds())
                .onFailure(failure -> resumeBuildsLater("The indexes cannot be read: " + failure.getMessage())));
    }

    /** Resumes the filling of indexes that departed processes left unfinished. */
    private void resumeBuilds() {
        for (MongoIndexDefinition index : catalog.unready()) {
            LOG.info("The filling of the index of {} on {} continues", index.bucket(), index.spec());
            createIndex(index.bucket(), index.spec()).onFailure(failure -> handleBuildFailure(index, failure));
        }
    }

    private void handleBuildFailure(MongoIndexDefinition index, Throwable failure) {
        String reason = "The index of " + index.bucket() + " was not filled: " + failure.getMessage();
        if (ApiException.of(failure).code() == ErrorCode.UNAVAILABLE) {
            resumeBuildsLater(reason);
        } else {
            LOG.info(reason);
        }
    }

    /** Schedules one resumption for all indexes that wait for it. */
    private void resumeBuildsLater(String reason) {
        home.runOnContext(now -> {
            LOG.info(reason);
            if (!isResumptionDue && closing.isEmpty()) {
                isResumptionDue = true;
                long unused = vertx.setTimer(RESUMPTION_MILLIS, later -> {
                    isResumptionDue = false;
                    resumeIndexBuilds();
                });
            }
        });
    }

    @Override
    public Future<Optional<StoredObject>> find(ObjectRef ref, ReadLevel level) {
        return read(
                        ref.bucket(),
                        () -> at(level, linearizableLoader).orElse(batchLoader).find(ref))
                .map(found -> found.map(CurrentObject::object));
    }

    /**
     * Returns the linearizable reader if the level requires it; empty if {@link
     * ReadLevel#COMMITTED} is enough, or the server has no other.
     */
    private static <T> Optional<T> at(ReadLevel level, Optional<T> linearizable) {
        return level == ReadLevel.LINEARIZABLE ? linearizable : Optional.empty();
    }

    private <T> Future<T> read(ReadLevel level, Function<MongoQueryExecutor, Future<T>> reading) {
        return at(level, readIndex)
                .map(index -> index.read(session -> reading.apply(mongoQueryExecutor.in(session))))
                .orElseGet(() -> reading.apply(mongoQueryExecutor));
    }

    @Override
    public Future<Map<ObjectRef, StoredObject>> findAll(Collection<ObjectRef> refs) {
        return MultiBucketRead.readAll(refs, (bucket, some) -> read(bucket, () -> batchLoader.findAll(bucket, some))
                .map(found -> found.stream().map(CurrentObject::object).toList()));
    }

    @Override
    public long schemaEpoch(String bucket) {
        return bucketFence.schemaEpoch(bucket);
    }

    @Override
    public Future<StoredObject> insert(ObjectRef ref, BsonDocument fields, long schemaEpoch) {
        return write(new Batch.InsertOperation(ref, fields.clone(), schemaEpoch), Principal.SERVER);
    }

    @Override
    public Future<StoredObject> replace(
            ObjectRef ref, BsonDocument fields, long schemaEpoch, Precondition precondition, Principal writer) {
        return write(new Batch.ReplaceOperation(ref, fields.clone(), schemaEpoch, precondition), writer);
    }

    @Override
    public Future<StoredObject> update(
            ObjectRef ref,
            UpdateFunction updateFunction,
            long schemaEpoch,
            Precondition precondition,
            Principal writer) {
        return write(new Batch.UpdateOperation(ref, updateFunction, schemaEpoch, precondition), writer);
    }

    @Override
    public Future<Optional<Tombstone>> delete(
            ObjectRef ref, long schemaEpoch, Precondition precondition, Principal writer) {
        Batch.DeleteOperation deletion = new Batch.DeleteOperation(ref, schemaEpoch, precondition);
        return call(() -> optimisticWriter.write(deletion, OptimisticWriter.guard(deletion, writer)))
                .map(outcomes -> outcomes.stream().map(Tombstone.class::cast).findFirst());
    }

    @Override
    public Future<List<WriteOutcome>> commit(Batch batch) {
        return call(() -> optimisticWriter.commit(batch));
    }

    @Override
    public Future<List<StoredObject>> query(StoreQuery query) {
        return room.readWithin(query.bound(), share -> query(query, share.part()));
    }

    @Override
    public <T> Future<T> query(List<StoreQuery> together, Function<List<List<StoredObject>>, Future<T>> use) {
        return room.readAllWithin(together, this::query, use);
    }

    private Future<List<StoredObject>> query(StoreQuery query, ResultBudget.PartialResultShare part) {
        return read(query.bucket(), () -> read(query.level(), reads -> reads.run(query, part)));
    }

    @Override
    public Future<Void> visit(String bucket, Filter filter, ReadLevel level, Consumer<StoredObject> visitor) {
        return read(bucket, () -> read(level, reads -> reads.visit(bucket, filter, visitor)));
    }

    @Override
    public Future<Long> count(String bucket, Filter filter, ReadLevel level) {
        return read(bucket, () -> read(level, reads -> reads.count(bucket, filter)));
    }

    @Override
    public Future<List<StoredObject>> scan(String bucket, String after, int limit) {
        return read(bucket, () -> mongoQueryExecutor.scan(bucket, after, limit));
    }

    @Override
    public Future<Void> truncate(String bucket, long schemaEpoch, Consumer<List<Tombstone>> deleted) {
        Context caller = vertx.getOrCreateContext();
        Runnable guard = () -> {
            requireOpen();
            bucketFence.requireOpen(bucket, schemaEpoch);
        };
        return call(() ->
                bucketTruncator.truncate(bucket, guard, tombstones -> deliverDeleted(caller, deleted, tombstones)));
    }

    @Override
    public Future<Void> drop(String bucket, Runnable guard, Consumer<List<Tombstone>> deleted) {
        Context caller = vertx.getOrCreateContext();
        Runnable guards = () -> {
            requireOpen();
            guard.run();
        };
        bucketFence.drop(bucket);
        return call(() -> indexManager
                .dropAll(bucket, guards)
                .compose(dropped -> bucketTruncator.truncate(
                        bucket, guards, tombstones -> deliverDeleted(caller, deleted, tombstones))));
    }

    @Override
    public <T> Future<T> runFenced(Set<String> buckets, Supplier<Future<T>> write) {
        return bucketFence.writeWithRetry(buckets, write);
    }

    @Override
    public Future<Void> rewrite(Map<String, DocumentRewrite> rewrites, Runnable done) {
        return chore(() -> {
            bucketFence.close(rewrites.keySet());
            Future<Void> rewritten = rewriteAll(rewrites).compose(all -> {
                done.run();
                return Future.succeededFuture();
            });
            return rewritten.onComplete(outcome -> bucketFence.open(rewrites.keySet(), rewritten));
        });
    }

    private Future<Void> rewriteAll(Map<String, DocumentRewrite> rewrites) {
        Future<Void> rewritten = Future.succeededFuture();
        for (Map.Entry<String, DocumentRewrite> rewrite : rewrites.entrySet()) {
            String bucket = rewrite.getKey();
            rewritten = rewritten
                    .compose(before -> inFlightOperations.awaitCurrent(bucket))
                    .compose(gone -> bucketRewriter.rewrite(bucket, rewrite.getValue()));
        }
        return rewritten;
    }

    @Override
    public Future<Void> createIndex(String bucket, IndexSpec keys, long schemaEpoch) {
        return chore(() -> indexManager.create(bucket, keys, schemaEpoch));
    }

    @Override
    public Future<Void> dropIndex(String bucket, IndexSpec keys) {
        return call(() -> indexManager.drop(bucket, keys));
    }

    @Override
    public Future<List<IndexSpec>> indexes(String bucket) {
        return call(() -> Future.succeededFuture(catalog.of(bucket).stream()
                .filter(MongoIndexDefinition::isReady)
                .map(MongoIndexDefinition::spec)
                .toList()));
    }

    @Override
    public Future<Map<IndexSpec, Double>> unfinishedIndexes(String bucket) {
        return call(() -> indexManager.unfinished(bucket));
    }

    @Override
    public Future<Void> close() {
        return onContext(home, vertx, () -> {
            Future<Void> closed = closing.orElseGet(() -> calls.awaitCurrent(STORE_KEY)
                    .compose(gone -> transactionRunner.drain())
                    .compose(drained -> release()));
            closing = Optional.of(closed);
            return closed;
        });
    }

    private Future<Void> release() {
        return workers.executeBlocking(() -> {
                    mongoDriver.close();
                    return true;
                })
                .compose(closed -> workers.close());
    }

    private Future<StoredObject> write(Batch.StoreOperation write, Principal writer) {
        return call(() -> optimisticWriter.write(write, OptimisticWriter.guard(write, writer)))
                .map(outcomes -> (StoredObject) outcomes.get(0));
    }

    private <T> Future<T> read(String bucket, Supplier<Future<T>> work) {
        return bucketFence.read(bucket, () -> call(work));
    }

    /** Executes work on the store's context and completes on the caller's. */
    private <T> Future<T> call(Supplier<Future<T>> work) {
        return chore(() -> calls.track(STORE_KEY, work));
    }

    /**
     * Executes work that does not delay the end of the store, because the next process resumes it.
     */
    private <T> Future<T> chore(Supplier<Future<T>> work) {
        return onContext(home, vertx, () -> {
            requireOpen();
            return work.get()
                    .recover(failure -> Future.failedFuture(
                            failure instanceof ChangeFeed.PositionLostException
                                    ? failure
                                    : MongoErrors.of(failure, config.queryBudget())));
        });
    }

    private void requireOpen() {
        if (closing.isPresent()) {
            throw new ApiException(ErrorCode.UNAVAILABLE, "The store is closed");
        }
    }

    private static <T> Future<T> onContext(Context home, Vertx vertx, Supplier<Future<T>> work) {
        Context caller = vertx.getOrCreateContext();
        Promise<T> answer = Promise.promise();
        home.runOnContext(now -> Future.<Void>succeededFuture()
                .compose(begun -> work.get())
                .onComplete(outcome -> caller.runOnContext(then -> complete(answer, outcome))));
        return answer.future();
    }

    private static <T> void complete(Promise<T> answer, AsyncResult<T> outcome) {
        if (outcome.succeeded()) {
            answer.complete(outcome.result());
        } else {
            answer.fail(outcome.cause());
        }
    }

    private Future<?> deliverDeleted(Context caller, Consumer<List<Tombstone>> deleted, List<Tombstone> gone) {
        Promise<Void> delivered = Promise.promise();
        caller.runOnContext(now -> {
            try {
                deleted.accept(gone);
            } finally {
                home.runOnContext(then -> delivered.complete());
            }
        });
        return delivered.future();
    }
}
