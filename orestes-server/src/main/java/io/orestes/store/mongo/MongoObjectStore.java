package io.orestes.store.mongo;

import io.invalidb.query.filter.Filter;
import io.orestes.async.Contexts;
import io.orestes.async.InFlightOperations;
import io.orestes.async.Loop;
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
import io.orestes.store.mongo.document.MongoCollections;
import io.orestes.store.mongo.driver.MongoConfig;
import io.orestes.store.mongo.driver.MongoConnection;
import io.orestes.store.mongo.driver.StoreCallGate;
import io.orestes.store.mongo.index.DeclaredIndexCatalog;
import io.orestes.store.mongo.index.IndexManager;
import io.orestes.store.mongo.index.MongoIndexDefinition;
import io.orestes.store.mongo.probe.ServerCapabilities;
import io.orestes.store.mongo.probe.ServerProbe;
import io.orestes.store.mongo.probe.TopologyCheck;
import io.orestes.store.mongo.probe.UnusableServerException;
import io.orestes.store.mongo.read.LeveledReads;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
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

    private final MongoStoreModule module;
    private final ServerCapabilities serverCapabilities;
    private final StoreCallGate gate;
    private final BucketFence bucketFence;
    private final InFlightOperations inFlightOperations;
    private final DeclaredIndexCatalog catalog;
    private final IndexManager indexManager;
    private final LeveledReads reads;
    private final MongoStoreModule.WriteModule writes;
    private final ResultBudget room = ResultBudget.ofHeap();

    private MongoObjectStore(MongoStoreModule module, ServerCapabilities serverCapabilities) {
        this.module = module;
        this.serverCapabilities = serverCapabilities;
        this.gate = module.gate();
        this.bucketFence = module.coordination().fence();
        this.inFlightOperations = module.coordination().inFlight();
        this.catalog = module.documents().catalog();
        this.indexManager = module.indexes().manager();
        this.reads = module.reads();
        this.writes = module.writes();
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
        TopologyCheck topology = new TopologyCheck(config);
        MongoConnection connection = MongoConnection.open(vertx, config, topology);
        ServerProbe serverProbe = new ServerProbe(
                connection.driver().client().getDatabase(config.database()),
                topology,
                connection,
                config.responseTimeout());
        Context home = connection.home();
        return Contexts.call(home, () -> Contexts.on(home, topology.check(vertx))
                .compose(replicated -> look.apply(serverProbe))
                .map(capabilities ->
                        new MongoObjectStore(MongoStoreModule.create(connection, clock, capabilities), capabilities))
                .compose(store -> store.begin().map(store))
                .onFailure(failure -> connection.driver().close())
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
        return module.changeFeed();
    }

    /** Returns the number of skipped documents that cannot be objects. */
    public long skippedCount() {
        return module.documents().decoder().skippedCount();
    }

    private Future<?> begin() {
        // without other processes, no open transaction can belong to a live one
        MongoConnection connection = module.connection();
        MongoCollections collections = module.documents().collections();
        return (connection.config().isShared()
                        ? Future.<Void>succeededFuture()
                        : connection.aborter().abortAllBut(""))
                .compose(ended -> collections.prepare())
                .compose(ready -> catalog.load());
    }

    @Override
    public void evictBefore(WriteOutcome later) {
        gate.home().runOnContext(now -> writes.recent().evictBefore(later));
    }

    @Override
    public void join(Function<String, Future<Void>> indexesChanged) {
        module.indexes().resumer().join(indexesChanged);
    }

    @Override
    public String processName() {
        return module.connection().process();
    }

    @Override
    public Future<Void> abortTransactionsOf(String other) {
        return gate.call(() -> module.connection().aborter().abort(other));
    }

    @Override
    public Future<Void> abortTransactionsOfOthers() {
        return gate.call(() -> module.connection().aborter().abortAllBut(processName()));
    }

    @Override
    public Future<Void> reloadIndexes(String bucket) {
        return gate.call(() -> catalog.load().compose(loaded -> inFlightOperations.awaitCurrent(bucket)));
    }

    @Override
    public Future<Void> pause(Set<String> paused) {
        bucketFence.close(paused);
        return gate.call(() -> Future.join(
                        paused.stream().map(inFlightOperations::awaitCurrent).toList())
                .mapEmpty());
    }

    @Override
    public Future<Void> resume(Set<String> resumed, Set<String> dropped) {
        return gate.call(() -> catalog.load().compose(loaded -> {
            dropped.forEach(bucketFence::drop);
            bucketFence.open(resumed, Future.succeededFuture());
            return Future.succeededFuture();
        }));
    }

    @Override
    public void resumeIndexBuilds() {
        module.indexes().resumer().resume();
    }

    @Override
    public Future<Optional<StoredObject>> find(ObjectRef ref, ReadLevel level) {
        return read(ref.bucket(), () -> reads.find(ref, level));
    }

    @Override
    public Future<Map<ObjectRef, StoredObject>> findAll(Collection<ObjectRef> refs) {
        return MultiBucketRead.readAll(refs, (bucket, some) -> read(bucket, () -> reads.findAll(bucket, some)));
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
        return gate.call(() -> writes.single().write(deletion, writes.guards().alone(deletion, writer)))
                .map(outcomes -> outcomes.stream().map(Tombstone.class::cast).findFirst());
    }

    @Override
    public Future<List<WriteOutcome>> commit(Batch batch) {
        return gate.call(() -> writes.batches().commit(batch));
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
        return read(query.bucket(), () -> reads.query(query, part));
    }

    @Override
    public Future<Void> visit(String bucket, Filter filter, ReadLevel level, Consumer<StoredObject> visitor) {
        return read(bucket, () -> reads.visit(bucket, filter, level, visitor));
    }

    @Override
    public Future<Long> count(String bucket, Filter filter, ReadLevel level) {
        return read(bucket, () -> reads.count(bucket, filter, level));
    }

    @Override
    public Future<List<StoredObject>> scan(String bucket, String after, int limit) {
        return read(bucket, () -> reads.scan(bucket, after, limit));
    }

    @Override
    public Future<Void> truncate(String bucket, long schemaEpoch, Consumer<List<Tombstone>> deleted) {
        Context caller = gate.home().owner().getOrCreateContext();
        Runnable guard = () -> {
            gate.requireOpen();
            bucketFence.requireOpen(bucket, schemaEpoch);
        };
        return gate.call(() ->
                writes.truncator().truncate(bucket, guard, tombstones -> deliverDeleted(caller, deleted, tombstones)));
    }

    @Override
    public Future<Void> drop(String bucket, Runnable guard, Consumer<List<Tombstone>> deleted) {
        Context caller = gate.home().owner().getOrCreateContext();
        Runnable guards = () -> {
            gate.requireOpen();
            guard.run();
        };
        bucketFence.drop(bucket);
        return gate.call(() -> indexManager.dropAll(bucket, guards).compose(dropped -> writes.truncator()
                .truncate(bucket, guards, tombstones -> deliverDeleted(caller, deleted, tombstones))));
    }

    @Override
    public <T> Future<T> runFenced(Set<String> buckets, Supplier<Future<T>> write) {
        return bucketFence.writeWithRetry(buckets, write);
    }

    @Override
    public Future<Void> rewrite(Map<String, DocumentRewrite> rewrites, Runnable done) {
        return gate.runInterruptibly(() -> {
            bucketFence.close(rewrites.keySet());
            Future<Void> rewritten = rewriteAll(rewrites).compose(all -> {
                done.run();
                return Future.succeededFuture();
            });
            return rewritten.onComplete(outcome -> bucketFence.open(rewrites.keySet(), rewritten));
        });
    }

    private Future<Void> rewriteAll(Map<String, DocumentRewrite> rewrites) {
        return Loop.forEach(rewrites.entrySet(), rewrite -> inFlightOperations
                .awaitCurrent(rewrite.getKey())
                .compose(ended -> writes.rewriter().rewrite(rewrite.getKey(), rewrite.getValue())));
    }

    @Override
    public Future<Void> createIndex(String bucket, IndexSpec keys, long schemaEpoch) {
        return gate.runInterruptibly(() -> indexManager.create(bucket, keys, schemaEpoch));
    }

    @Override
    public Future<Void> dropIndex(String bucket, IndexSpec keys) {
        return gate.call(() -> indexManager.drop(bucket, keys));
    }

    @Override
    public Future<List<IndexSpec>> indexes(String bucket) {
        return gate.call(() -> Future.succeededFuture(catalog.of(bucket).stream()
                .filter(MongoIndexDefinition::isReady)
                .map(MongoIndexDefinition::spec)
                .toList()));
    }

    @Override
    public Future<Map<IndexSpec, Double>> unfinishedIndexes(String bucket) {
        return gate.call(() -> indexManager.unfinished(bucket));
    }

    @Override
    public Future<Void> close() {
        return gate.close(() -> module.connection().transactions().drain().compose(drained -> release()));
    }

    private Future<Void> release() {
        return module.workers()
                .executeBlocking(() -> {
                    module.connection().driver().close();
                    return true;
                })
                .compose(closed -> module.workers().close());
    }

    private Future<StoredObject> write(Batch.StoreOperation write, Principal writer) {
        return gate.call(() -> writes.single().write(write, writes.guards().alone(write, writer)))
                .map(outcomes -> (StoredObject) outcomes.get(0));
    }

    private <T> Future<T> read(String bucket, Supplier<Future<T>> work) {
        return bucketFence.read(bucket, () -> gate.call(work));
    }

    private Future<?> deliverDeleted(Context caller, Consumer<List<Tombstone>> deleted, List<Tombstone> gone) {
        Promise<Void> delivered = Promise.promise();
        caller.runOnContext(now -> {
            try {
                deleted.accept(gone);
            } finally {
                gate.home().runOnContext(then -> delivered.complete());
            }
        });
        return delivered.future();
    }
}
