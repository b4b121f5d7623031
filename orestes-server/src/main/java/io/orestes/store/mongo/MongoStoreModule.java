package io.orestes.store.mongo;

import io.orestes.async.InFlightOperations;
import io.orestes.async.KeyedMutex;
import io.orestes.store.BucketFence;
import io.orestes.store.mongo.changefeed.MongoChangeFeed;
import io.orestes.store.mongo.changefeed.ReportedObjects;
import io.orestes.store.mongo.document.DocumentDecoder;
import io.orestes.store.mongo.document.ForeignDocumentNormalizer;
import io.orestes.store.mongo.document.MongoCollections;
import io.orestes.store.mongo.document.TombstoneCollection;
import io.orestes.store.mongo.driver.MongoConnection;
import io.orestes.store.mongo.driver.StoreCallGate;
import io.orestes.store.mongo.index.DeclaredIndexCatalog;
import io.orestes.store.mongo.index.IndexBuildResumer;
import io.orestes.store.mongo.index.IndexBuilder;
import io.orestes.store.mongo.index.IndexManager;
import io.orestes.store.mongo.probe.ServerCapabilities;
import io.orestes.store.mongo.read.BatchLoader;
import io.orestes.store.mongo.read.CommittedDocumentReader;
import io.orestes.store.mongo.read.DocumentFinder;
import io.orestes.store.mongo.read.LeveledReads;
import io.orestes.store.mongo.read.LinearizableReader;
import io.orestes.store.mongo.read.MongoQueryExecutor;
import io.orestes.store.mongo.read.ObjectScanner;
import io.orestes.store.mongo.write.BatchCommitter;
import io.orestes.store.mongo.write.BatchPlanner;
import io.orestes.store.mongo.write.BucketFenceGuards;
import io.orestes.store.mongo.write.BucketRewriter;
import io.orestes.store.mongo.write.BucketTruncator;
import io.orestes.store.mongo.write.CurrentStateReader;
import io.orestes.store.mongo.write.InDoubtWriteResolver;
import io.orestes.store.mongo.write.InsertBatcher;
import io.orestes.store.mongo.write.ObjectBatchDeleter;
import io.orestes.store.mongo.write.OptimisticWriter;
import io.orestes.store.mongo.write.RecentMetadataCache;
import io.orestes.store.mongo.write.SingleWriteExecutor;
import io.orestes.store.mongo.write.UnchangedWriteConfirmation;
import io.orestes.store.mongo.write.WriteCommands;
import io.orestes.store.mongo.write.WriteFailureDiagnosis;
import io.orestes.store.mongo.write.WritePlanner;
import io.orestes.store.mongo.write.WriteRetrier;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The parts of one store in MongoDB, as {@link #create} assembles them.
 *
 * @param gate gate of calls on the context of the store
 * @param workers threads that call visitors and evaluate filters
 */
record MongoStoreModule(
        MongoConnection connection,
        StoreCallGate gate,
        WorkerExecutor workers,
        WriterCoordination coordination,
        DocumentModule documents,
        IndexModule indexes,
        LeveledReads reads,
        WriteModule writes,
        MongoChangeFeed changeFeed) {

    private static final int WORKER_THREADS = 4;

    /** Assembles a store on an open connection. */
    static MongoStoreModule create(MongoConnection connection, InstantSource clock, ServerCapabilities capabilities) {
        Vertx vertx = connection.home().owner();
        StoreCallGate gate =
                new StoreCallGate(connection.home(), connection.config().queryBudget());
        WorkerExecutor workers = vertx.createSharedWorkerExecutor("orestes-store-mongo", WORKER_THREADS);
        WriterCoordination coordination = WriterCoordination.create(connection.home());
        DocumentModule documents = DocumentModule.create(connection, clock);
        StateFinders finders = StateFinders.create(connection, documents, capabilities);
        IndexModule indexes = IndexModule.create(gate, documents, coordination, workers);
        WriteModule writes = WriteModule.create(connection, documents, finders, coordination, indexes.manager());
        MongoChangeFeed changeFeed = new MongoChangeFeed(
                gate,
                connection.sessions(),
                documents.collections(),
                new ReportedObjects(
                        documents.collections(), documents.normalizer(), coordination.mutex(), writes.recent()),
                clock);
        return new MongoStoreModule(
                connection,
                gate,
                workers,
                coordination,
                documents,
                indexes,
                reads(connection, documents, finders, workers),
                writes,
                changeFeed);
    }

    private static LeveledReads reads(
            MongoConnection connection, DocumentModule documents, StateFinders finders, WorkerExecutor workers) {
        CommittedDocumentReader reader = new CommittedDocumentReader(
                documents.collections().readBy(connection.queryPublishers()),
                documents.catalog(),
                documents.normalizer(),
                workers,
                connection.config().queryBudget());
        BatchLoader committed = new BatchLoader(
                connection.home(), DocumentFinder.committed(documents.collections()), documents.normalizer());
        return new LeveledReads(
                committed,
                Objects.requireNonNullElse(finders.linearizable(), committed),
                new MongoQueryExecutor(documents.catalog(), reader),
                new ObjectScanner(reader),
                finders.readIndex());
    }

    /**
     * The coordination of the writers of this process.
     *
     * @param fence fence of buckets that are rewritten or dropped
     * @param inFlight writes in flight of each bucket
     * @param mutex mutex of the writers of each object
     */
    record WriterCoordination(BucketFence fence, InFlightOperations inFlight, KeyedMutex mutex) {

        /** Maximum time in which reads wait for a rewrite. */
        private static final Duration MAX_FENCE_WAIT = Duration.ofSeconds(5);

        private static WriterCoordination create(Context home) {
            return new WriterCoordination(
                    new BucketFence(home.owner(), MAX_FENCE_WAIT), new InFlightOperations(), new KeyedMutex(home));
        }
    }

    /** The stored form of objects. */
    record DocumentModule(
            MongoCollections collections,
            DeclaredIndexCatalog catalog,
            TombstoneCollection tombstones,
            DocumentDecoder decoder,
            ForeignDocumentNormalizer normalizer,
            InstantSource clock) {

        private static DocumentModule create(MongoConnection connection, InstantSource clock) {
            MongoCollections collections =
                    new MongoCollections(connection.admin(), connection.database(), connection.publishers());
            DeclaredIndexCatalog catalog = new DeclaredIndexCatalog(collections);
            TombstoneCollection tombstones = new TombstoneCollection(collections);
            DocumentDecoder decoder = new DocumentDecoder();
            ForeignDocumentNormalizer normalizer =
                    new ForeignDocumentNormalizer(collections, tombstones, catalog, decoder, clock);
            return new DocumentModule(collections, catalog, tombstones, decoder, normalizer, clock);
        }
    }

    /** The construction of indexes. */
    record IndexModule(IndexManager manager, IndexBuildResumer resumer) {

        private static IndexModule create(
                StoreCallGate gate, DocumentModule documents, WriterCoordination coordination, WorkerExecutor workers) {
            IndexBuilder builder =
                    new IndexBuilder(documents.collections(), documents.catalog(), documents.normalizer(), workers);
            IndexManager manager = new IndexManager(
                    documents.catalog(), builder, coordination.fence(), coordination.inFlight(), coordination.mutex());
            return new IndexModule(
                    manager, new IndexBuildResumer(gate, documents.catalog(), manager, coordination.fence()));
        }
    }

    /**
     * The readers of states by which writes are planned and confirmed.
     *
     * @param newest loads states of the primary
     * @param confirming finds states that a majority has, where the server confirms them
     * @param readIndex index of linearizable reads, null if the server has none
     * @param linearizable loads linearizable states, null if the server has none
     */
    private record StateFinders(
            BatchLoader newest,
            DocumentFinder confirming,
            @Nullable LinearizableReader readIndex,
            @Nullable BatchLoader linearizable) {

        private static StateFinders create(
                MongoConnection connection, DocumentModule documents, ServerCapabilities capabilities) {
            MongoCollections collections = documents.collections();
            DocumentFinder primary = DocumentFinder.newest(collections);
            BatchLoader newest = new BatchLoader(connection.home(), primary, documents.normalizer());
            if (!capabilities.supportsLinearizableReads()) {
                return new StateFinders(newest, primary, null, null);
            }
            Duration confirmWithin = connection.config().maxConfirmationTime();
            LinearizableReader readIndex = new LinearizableReader(
                    connection.home(),
                    connection.sessions(),
                    connection.publishers(),
                    collections.linearizable(),
                    confirmWithin);
            DocumentFinder confirming = DocumentFinder.linearizable(readIndex, collections, confirmWithin);
            BatchLoader linearizable = new BatchLoader(connection.home(), confirming, documents.normalizer());
            return new StateFinders(newest, confirming, readIndex, linearizable);
        }
    }

    /** The writers of single objects, of batches and of whole buckets. */
    record WriteModule(
            BucketFenceGuards guards,
            RecentMetadataCache recent,
            OptimisticWriter single,
            BatchCommitter batches,
            BucketTruncator truncator,
            BucketRewriter rewriter) {

        private static WriteModule create(
                MongoConnection connection,
                DocumentModule documents,
                StateFinders finders,
                WriterCoordination coordination,
                IndexManager indexManager) {
            Vertx vertx = connection.home().owner();
            WritePlanner planner = new WritePlanner(documents.catalog(), documents.clock());
            UnchangedWriteConfirmation confirmation = new UnchangedWriteConfirmation(finders.linearizable());
            BucketFenceGuards guards = new BucketFenceGuards(coordination.fence());
            RecentMetadataCache recent = new RecentMetadataCache();
            WriteExecution execution = WriteExecution.create(connection, documents, finders, recent);
            WriteCommands commands = execution.commands();
            WriteRetrier retrier = new WriteRetrier(
                    vertx,
                    coordination.mutex(),
                    coordination.inFlight(),
                    indexManager,
                    connection.config().responseTimeout());
            CurrentStateReader states =
                    new CurrentStateReader(connection.home(), finders.newest(), recent, documents.tombstones());
            BatchPlanner batchPlanner = new BatchPlanner(guards, planner, confirmation);
            ObjectBatchDeleter objectBatchDeleter =
                    new ObjectBatchDeleter(vertx, documents.collections(), commands, planner);
            return new WriteModule(
                    guards,
                    recent,
                    new OptimisticWriter(states, planner, confirmation, retrier, execution.single()),
                    new BatchCommitter(batchPlanner, commands, retrier, execution.single(), execution.diagnosis()),
                    new BucketTruncator(
                            finders.confirming(), objectBatchDeleter, coordination.mutex(), coordination.inFlight()),
                    new BucketRewriter(
                            documents.collections(),
                            documents.catalog(),
                            indexManager,
                            planner,
                            documents.normalizer()));
        }
    }

    /** The execution of planned writes. */
    private record WriteExecution(WriteCommands commands, WriteFailureDiagnosis diagnosis, SingleWriteExecutor single) {

        private static WriteExecution create(
                MongoConnection connection,
                DocumentModule documents,
                StateFinders finders,
                RecentMetadataCache recent) {
            WriteCommands commands = new WriteCommands(
                    documents.collections(), documents.tombstones(), documents.normalizer(), connection.transactions());
            WriteFailureDiagnosis diagnosis = new WriteFailureDiagnosis(finders.confirming(), documents.catalog());
            InDoubtWriteResolver inDoubt = InDoubtWriteResolver.of(
                    connection.home().owner(), documents.collections(), documents.tombstones(), commands);
            return new WriteExecution(
                    commands,
                    diagnosis,
                    new SingleWriteExecutor(
                            commands, new InsertBatcher(connection.home(), commands), inDoubt, recent, diagnosis));
        }
    }
}
