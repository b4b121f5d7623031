package io.orestes.store.embedded;

import io.invalidb.query.Filter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.orestes.model.ApiException;
import io.orestes.model.ObjectRef;
import io.orestes.model.Outcome;
import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.model.ReadLevel;
import io.orestes.model.StoredObject;
import io.orestes.model.Tombstone;
import io.orestes.store.Batch;
import io.orestes.store.ByBucket;
import io.orestes.store.Gates;
import io.orestes.store.IndexKeys;
import io.orestes.store.ObjectStore;
import io.orestes.store.ResultRoom;
import io.orestes.store.Rewrite;
import io.orestes.store.StoreQuery;
import io.orestes.store.Update;
import io.orestes.store.WriteGuard;
import io.orestes.store.embedded.StoreOpenException.Reason;
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
 * Objects in a RocksDB database of this process. One thread commits, a few read single objects and pages,
 * and as many run queries, so that no read waits for a query; the calling thread encodes what it writes and waits for
 * nothing.
 */
public final class EmbeddedObjectStore implements ObjectStore {

    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedObjectStore.class);

    /** Whoever asks for more is told so at once, instead of after the time that these take. */
    private static final int MAX_WAITING_QUERIES = 1_000;

    /** Time in which a rewriting brings some 300,000 objects into their new form. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(5);

    private static final Duration SWEEP_INTERVAL = Duration.ofMinutes(30);

    private final Vertx vertx;
    private final InstantSource clock;
    private final Database database;
    private final IndexCatalog catalog;
    private final QueryStatistics statistics = new QueryStatistics();
    private final RunLimit queryLimit;
    private final Queries queries;
    private final Readers readers;
    private final Readers queryRunners;
    private final ResultRoom room = ResultRoom.ofHeap();
    private final Committer committer;
    private final Gates gates;
    private final long sweepTimer;
    private final Promise<Void> closed = Promise.promise();
    private final Thread closer = new Thread(this::release, "orestes-store-closer");

    private EmbeddedObjectStore(
            Vertx vertx, StoreConfig config, InstantSource clock, Database database, IndexCatalog catalog) {
        this.vertx = vertx;
        this.clock = clock;
        this.database = database;
        this.catalog = catalog;
        this.queryLimit = new RunLimit(config.queryBudget(), System::nanoTime);
        this.queries = new Queries(database, catalog, statistics, queryLimit);
        this.readers = new Readers(vertx, "reader", config.readThreads(), Integer.MAX_VALUE);
        this.queryRunners = new Readers(vertx, "query", config.readThreads(), MAX_WAITING_QUERIES);
        this.gates = new Gates(vertx, LONGEST_WAIT);
        this.committer = new Committer(database, catalog, clock);
        this.sweepTimer = vertx.setPeriodic(0, SWEEP_INTERVAL.toMillis(), timer -> sweep());
    }

    /** Opens the store in its directory, creating it if there is none. Blocks while it reads the log of the last run. */
    public static EmbeddedObjectStore open(Vertx vertx, StoreConfig config) {
        return open(vertx, config, InstantSource.system());
    }

    /**
     * Opens the store with a clock of the caller's choice.
     *
     * @throws StoreOpenException if the directory cannot be used; nothing in it was changed
     */
    public static EmbeddedObjectStore open(Vertx vertx, StoreConfig config, InstantSource clock) {
        Database database = new DataDirectory(config).open();
        EmbeddedObjectStore store =
                new EmbeddedObjectStore(vertx, config, clock, database, catalogOf(database, config));
        store.committer.start();
        store.resumeBuilds();
        return store;
    }

    /** Goes on with indexes that were being filled when the last process ended. */
    private void resumeBuilds() {
        for (IndexDefinition index : catalog.unready()) {
            LOG.info("Filling the index of {} on {} goes on", index.bucket(), index.keys());
            createIndex(index.bucket(), index.keys())
                    .onFailure(failure ->
                            LOG.info("The index of {} is not full: {}", index.bucket(), failure.getMessage()));
        }
    }

    private static IndexCatalog catalogOf(Database database, StoreConfig config) {
        try {
            return IndexCatalog.load(database);
        } catch (RuntimeException e) {
            database.close();
            throw new StoreOpenException(Reason.CORRUPTED, config.directory(), "has an unreadable list of indexes", e);
        }
    }

    /** How much work queries were. */
    public QueryStatistics statistics() {
        return statistics;
    }

    @Override
    public Future<Optional<StoredObject>> find(ObjectRef ref, ReadLevel level) {
        return gates.pass(ref.bucket(), () -> readers.call(() -> read(ref)));
    }

    @Override
    public Future<Map<ObjectRef, StoredObject>> findAll(Collection<ObjectRef> refs) {
        return ByBucket.read(
                refs,
                (bucket, some) -> gates.pass(
                        bucket,
                        () -> readers.call(() ->
                                some.stream().flatMap(ref -> read(ref).stream()).toList())));
    }

    private Optional<StoredObject> read(ObjectRef ref) {
        return database.get(Family.OBJECTS, Documents.key(ref.id())).map(encoded -> Documents.whole(ref, encoded));
    }

    @Override
    public long form(String bucket) {
        return gates.form(bucket);
    }

    @Override
    public Future<StoredObject> insert(ObjectRef ref, BsonDocument fields, long form) {
        return write(reply -> insertion(new Batch.Insertion(ref, fields, form), reply));
    }

    @Override
    public Future<StoredObject> replace(
            ObjectRef ref, BsonDocument fields, long form, Precondition precondition, Principal writer) {
        return write(reply -> replacement(new Batch.Replacement(ref, fields, form, precondition), writer, reply));
    }

    @Override
    public Future<StoredObject> update(
            ObjectRef ref, Update update, long form, Precondition precondition, Principal writer) {
        return write(reply -> revision(
                new Batch.Revision(ref, update, form, precondition), WriteGuard.existing(precondition, writer), reply));
    }

    @Override
    public Future<Optional<Tombstone>> delete(ObjectRef ref, long form, Precondition precondition, Principal writer) {
        return write(reply -> deletion(new Batch.Deletion(ref, form, precondition), writer, reply));
    }

    @Override
    public Future<List<Outcome>> commit(Batch batch) {
        return write(reply -> new Commit(
                batch,
                batch.writes().stream()
                        .<SingleMutation<?>>map(change -> mutation(change, batch.writer()))
                        .toList(),
                reply));
    }

    private SingleMutation<?> mutation(Batch.Write write, Principal writer) {
        if (write instanceof Batch.Insertion insertion) {
            return insertion(insertion, Reply.toCaller(vertx));
        }
        if (write instanceof Batch.Replacement replacement) {
            return replacement(replacement, writer, Reply.toCaller(vertx));
        }
        return write instanceof Batch.Revision revision
                ? revision(revision, WriteGuard.inBatch(revision, writer), Reply.toCaller(vertx))
                : deletion((Batch.Deletion) write, writer, Reply.toCaller(vertx));
    }

    private Put insertion(Batch.Insertion write, Reply<StoredObject> reply) {
        WriteGuard guard = gates.before(WriteGuard.absent(), write.form());
        return new Put(Draft.copyOf(write.ref(), write.fields()), guard, reply);
    }

    private Put replacement(Batch.Replacement write, Principal writer, Reply<StoredObject> reply) {
        WriteGuard guard = gates.before(WriteGuard.of(write.precondition(), writer), write.form());
        return new Put(Draft.copyOf(write.ref(), write.fields()), guard, reply);
    }

    private Revision revision(Batch.Revision write, WriteGuard guard, Reply<StoredObject> reply) {
        return new Revision(write.ref(), write.update(), gates.before(guard, write.form()), reply);
    }

    private Delete deletion(Batch.Deletion write, Principal writer, Reply<Optional<Tombstone>> reply) {
        WriteGuard guard = gates.beforeAnyForm(WriteGuard.of(write.precondition(), writer), write.form());
        return new Delete(write.ref(), guard, reply);
    }

    @Override
    public Future<List<StoredObject>> query(StoreQuery query) {
        return room.during(query.bound(), share -> run(query, share.part()));
    }

    @Override
    public <T> Future<T> query(List<StoreQuery> together, Function<List<List<StoredObject>>, Future<T>> use) {
        return room.together(together, this::run, use);
    }

    private Future<List<StoredObject>> run(StoreQuery query, ResultRoom.Part part) {
        return gates.pass(query.bucket(), () -> queryRunners.call(() -> queries.run(query, part)));
    }

    @Override
    public Future<Void> visit(String bucket, Filter filter, ReadLevel level, Consumer<StoredObject> visitor) {
        return gates.pass(
                        bucket,
                        () -> queryRunners.call(() -> {
                            queries.visit(bucket, filter, document -> visitor.accept(Documents.object(document)));
                            return true;
                        }))
                .mapEmpty();
    }

    @Override
    public Future<Long> count(String bucket, Filter filter, ReadLevel level) {
        return gates.pass(bucket, () -> queryRunners.call(() -> queries.count(bucket, filter)));
    }

    @Override
    public Future<List<StoredObject>> scan(String bucket, String after, int limit) {
        return gates.pass(bucket, () -> readers.call(() -> queries.scan(bucket, after, limit)));
    }

    @Override
    public Future<Void> truncate(String bucket, long form, Consumer<List<Tombstone>> deleted) {
        return change(bucket, form, reply -> truncation(bucket, deleted, reply));
    }

    @Override
    public Future<Void> drop(String bucket, Runnable guard, Consumer<List<Tombstone>> deleted) {
        gates.drop(bucket);
        return write(reply -> new BucketDrop(catalog, bucket, guard, truncation(bucket, deleted, reply)));
    }

    @Override
    public Future<Void> createIndex(String bucket, IndexKeys keys, long form) {
        return change(bucket, form, reply -> new IndexBuild(database, catalog, bucket, keys, reply));
    }

    @Override
    public Future<Void> dropIndex(String bucket, IndexKeys keys) {
        return change(bucket, form(bucket), reply -> new IndexDrop(catalog, bucket, keys, reply));
    }

    @Override
    public <T> Future<T> whenOpen(Set<String> buckets, Supplier<Future<T>> write) {
        return gates.admit(buckets, write);
    }

    @Override
    public Future<Void> rewrite(Map<String, Rewrite> rewrites, Runnable done) {
        gates.close(rewrites.keySet());
        Future<Void> rewritten = this.<Void>write(reply -> new Rewriting(database, catalog, clock, rewrites, reply))
                .compose(all -> {
                    done.run();
                    return Future.succeededFuture();
                });
        return rewritten.onComplete(outcome -> gates.open(rewrites.keySet(), rewritten));
    }

    @Override
    public Future<List<IndexKeys>> indexes(String bucket) {
        return readers.call(
                () -> catalog.ready(bucket).stream().map(IndexDefinition::keys).toList());
    }

    @Override
    public Future<Map<IndexKeys, Double>> unfinishedIndexes(String bucket) {
        return readers.call(() -> catalog.unready().stream()
                .filter(index -> index.bucket().equals(bucket))
                .collect(Collectors.toMap(
                        IndexDefinition::keys, catalog::progress, (one, other) -> one, LinkedHashMap::new)));
    }

    /** Adds the meters of this store. */
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

    private Truncation truncation(String bucket, Consumer<List<Tombstone>> deleted, Reply<Void> reply) {
        return new Truncation(database, () -> new Group(database, catalog, clock), bucket, deleted, reply);
    }

    private <T> Future<T> change(String bucket, long form, Function<Reply<T>, Chore> chore) {
        return write(reply -> new GatedChore(gates, bucket, form, chore.apply(reply)));
    }

    private <T> Future<T> write(Function<Reply<T>, Work> work) {
        Reply<T> reply = Reply.toCaller(vertx);
        try {
            committer.submit(work.apply(reply));
        } catch (RuntimeException e) {
            return Future.failedFuture(ApiException.of(e));
        }
        return reply.future();
    }

    private void sweep() {
        try {
            committer.submit(new TombstoneSweep(database, clock));
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
            readers.stop();
            database.close();
            closed.complete();
        } catch (InterruptedException | RuntimeException e) {
            closed.fail(e);
        }
    }
}
