package io.orestes.store.mongo;

import com.mongodb.WriteConcern;
import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoDatabase;
import io.invalidb.query.Filter;
import io.orestes.flow.Contexts;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Outcome;
import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.model.ReadLevel;
import io.orestes.model.StoredObject;
import io.orestes.model.Tombstone;
import io.orestes.store.Batch;
import io.orestes.store.ByBucket;
import io.orestes.store.ChangeFeed;
import io.orestes.store.Gates;
import io.orestes.store.IndexKeys;
import io.orestes.store.ObjectStore;
import io.orestes.store.ResultRoom;
import io.orestes.store.Rewrite;
import io.orestes.store.SharedStore;
import io.orestes.store.StoreQuery;
import io.orestes.store.Update;
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
 * Objects in MongoDB, a collection for each class. The store has one context where it keeps account of writers, indexes and
 * gates; nothing waits there. Writers of one object in this process take turns; against others every write names the version
 * it replaces. What no single command can do (a batch) is a transaction of MongoDB.
 */
public final class MongoObjectStore implements ObjectStore, SharedStore {

    private static final Logger LOG = LoggerFactory.getLogger(MongoObjectStore.class);

    /** Time in which reads wait for a rewriting. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(5);

    /** Tombstones that one request reads. */
    private static final int MAX_TOMBSTONES_READ = 500;

    private static final String EVERYTHING = "";
    private static final long RESUMPTION_MILLIS = 10_000;

    private final Vertx vertx;
    private final MongoConfig config;
    private final String process;
    private final Driver driver;
    private final Context home;
    private final OpenTransactions open;
    private final Transactions transactions;
    private final Findings findings;
    private final WorkerExecutor workers;
    private final Gates gates;
    private final Visitors visitors = new Visitors();
    private final Visitors calls = new Visitors();
    private final IndexCatalog catalog;
    private final Indexes indexes;
    private final LookUps lookUps;
    private final Queries queries;

    /** Empty if the server has no linearizable reads, as are the look-ups. */
    private final Optional<ReadIndex> readIndex;

    private final Optional<LookUps> linearizableLookUps;
    private final ResultRoom room = ResultRoom.ofHeap();
    private final Writes writes;
    private final Truncation truncation;
    private final Rewriting rewriting;
    private final Documents documents;
    private final ChangeFeed changeFeed;
    private final Buckets buckets;
    private final Publishers publishers;

    /** Set on the store's context, as is all below. */
    private boolean isResumptionDue;

    private Optional<Future<Void>> closing = Optional.empty();

    private MongoObjectStore(
            Vertx vertx,
            MongoConfig config,
            String process,
            InstantSource clock,
            Driver driver,
            Context home,
            Findings findings) {
        this.vertx = vertx;
        this.config = config;
        this.process = process;
        this.driver = driver;
        this.home = home;
        this.findings = findings;
        this.workers = vertx.createSharedWorkerExecutor("orestes-store-mongo", 4);
        this.gates = new Gates(vertx, LONGEST_WAIT);
        this.publishers = new Publishers(vertx, home, config.answerWithin());
        MongoClient client = driver.client();
        Sessions sessions = new Sessions(client, publishers);
        this.open = new OpenTransactions(client.getDatabase(Buckets.ADMIN), publishers, config.processNames());
        MongoDatabase database = client.getDatabase(config.database()).withWriteConcern(WriteConcern.MAJORITY);
        this.buckets = new Buckets(client.getDatabase(Buckets.ADMIN), database);
        Turns turns = new Turns(home);
        this.catalog = new IndexCatalog(buckets, publishers);
        this.documents = new Documents();
        Tombstones tombstones = new Tombstones(buckets, publishers);
        Adoption adoption = new Adoption(buckets, publishers, tombstones, catalog, documents, clock);
        Changes changes = new Changes(catalog, clock);
        this.readIndex = findings.readsLinearizably()
                ? Optional.of(new ReadIndex(home, sessions, publishers, buckets.linearizable(), config.confirmWithin()))
                : Optional.empty();
        Finder primary = Finder.newest(buckets, publishers);
        Optional<Finder> linearizable = readIndex.map(index -> Finder.linearizable(
                index, buckets, publishers, config.confirmWithin().toMillis()));
        Finder confirming = linearizable.orElse(primary);
        Obstacles obstacles = new Obstacles(confirming, catalog);
        this.indexes = new Indexes(buckets, publishers, catalog, gates, visitors, turns, adoption, workers);
        Function<Finder, LookUps> lookUpsBy = finder -> new LookUps(home, finder, adoption);
        this.lookUps = lookUpsBy.apply(Finder.committed(buckets, publishers));
        this.linearizableLookUps = linearizable.map(lookUpsBy);
        Publishers slow = new Publishers(vertx, home, config.answerWithin().plus(config.queryBudget()));
        this.queries = new Queries(home, buckets, slow, catalog, adoption, workers, config.queryBudget());
        Commands commands = new Commands(buckets, publishers, tombstones, adoption);
        LookUps newest = lookUpsBy.apply(primary);
        Optional<Confirmation> confirmation = linearizableLookUps.map(Confirmation::new);
        Gathering<ObjectRef, Long> ends = new Gathering<>(
                home,
                MAX_TOMBSTONES_READ,
                asked -> Gathering.answer(
                        asked,
                        tombstones.endsOfLastLives(Gathering.subjects(asked)),
                        (found, ref) -> found.getOrDefault(ref, 0L)));
        this.transactions = new Transactions(vertx, sessions, publishers, open);
        this.writes = new Writes(
                vertx,
                buckets,
                publishers,
                tombstones,
                commands,
                new BulkInserter(home, commands, transactions),
                newest,
                confirmation,
                ends,
                changes,
                obstacles,
                gates,
                turns,
                visitors,
                indexes,
                transactions,
                config.answerWithin());
        this.truncation = new Truncation(
                vertx, buckets, confirming, publishers, commands, changes, turns, visitors, transactions);
        this.rewriting = new Rewriting(buckets, publishers, catalog, indexes, changes, adoption);
        this.changeFeed = new MongoChangeFeed(
                this::call, sessions, buckets, publishers, adoption, tombstones, turns, writes, clock);
    }

    /** Connects and tries what the server can do; fails with {@link UnusableServerException} if objects cannot be kept there. */
    public static Future<MongoObjectStore> open(Vertx vertx, MongoConfig config) {
        return open(vertx, config, InstantSource.system(), Probe::run).onSuccess(MongoObjectStore::report);
    }

    /** The same with a clock of the caller's choice, and without trying anything. */
    static Future<MongoObjectStore> openUnprobed(Vertx vertx, MongoConfig config, InstantSource clock) {
        return open(
                vertx,
                config,
                clock,
                probe -> Future.succeededFuture(new Findings("of some version", true, List.of())));
    }

    private static Future<MongoObjectStore> open(
            Vertx vertx, MongoConfig config, InstantSource clock, Function<Probe, Future<Findings>> look) {
        String process = config.processName();
        Context home = vertx.getOrCreateContext();
        TopologyCheck topology = new TopologyCheck(config);
        Driver driver = new Driver(config, process, topology);
        MongoClient client = driver.client();
        Publishers publishers = new Publishers(vertx, home, config.answerWithin());
        Sessions sessions = new Sessions(client, publishers);
        OpenTransactions open =
                new OpenTransactions(client.getDatabase(Buckets.ADMIN), publishers, config.processNames());
        Probe probe = new Probe(
                client.getDatabase(config.database()),
                topology,
                sessions,
                new Transactions(vertx, sessions, publishers, open),
                open,
                home,
                publishers,
                config.answerWithin());
        return onContext(home, vertx, () -> Contexts.on(home, topology.check(vertx))
                .compose(replicated -> look.apply(probe))
                .map(findings -> new MongoObjectStore(vertx, config, process, clock, driver, home, findings))
                .compose(store -> store.begin().map(store))
                .onFailure(failure -> driver.close())
                .recover(failure -> Future.failedFuture(UnusableServerException.of(failure, config.place()))));
    }

    private void report() {
        LOG.info(
                "Objects are in {}; {}",
                name(),
                missing().isEmpty() ? "it has all that is needed" : "it lacks " + String.join("; ", missing()));
    }

    /** What the server is, e.g. {@code MongoDB 6.0.5, replica set}. */
    public String name() {
        return findings.name();
    }

    /** What the server cannot do, each with what that costs. */
    public List<String> missing() {
        return findings.missing();
    }

    /** What is written there, by whomever. */
    public ChangeFeed changes() {
        return changeFeed;
    }

    /** How often a document was left out because it cannot be an object. */
    public long leftOut() {
        return documents.leftOut();
    }

    private Future<?> begin() {
        // alone, it has nobody beside it whose transactions those could be
        return (config.isShared() ? Future.<Void>succeededFuture() : open.abortAllBut(""))
                .compose(ended -> buckets.prepare(publishers))
                .compose(ready -> OldTextIndexes.replace(buckets, publishers))
                .compose(ready -> catalog.load());
    }

    @Override
    public void evictBefore(Outcome later) {
        home.runOnContext(now -> writes.evictBefore(later));
    }

    @Override
    public void join(Function<String, Future<Void>> indexesChanged) {
        home.runOnContext(now -> {
            indexes.tell(bucket -> Contexts.on(home, indexesChanged.apply(bucket)));
            resumeBuilds();
        });
    }

    @Override
    public String process() {
        return process;
    }

    @Override
    public Future<Void> abandon(String other) {
        return call(() -> open.abort(other));
    }

    @Override
    public Future<Void> abandonOthers() {
        return call(() -> open.abortAllBut(process));
    }

    @Override
    public Future<Void> indexesChanged(String bucket) {
        return call(() -> catalog.load().compose(loaded -> visitors.gone(bucket)));
    }

    @Override
    public Future<Void> pause(Set<String> paused) {
        gates.close(paused);
        return call(
                () -> Future.join(paused.stream().map(visitors::gone).toList()).mapEmpty());
    }

    @Override
    public Future<Void> resume(Set<String> resumed, Set<String> dropped) {
        return call(() -> catalog.load().compose(loaded -> {
            dropped.forEach(gates::drop);
            gates.open(resumed, Future.succeededFuture());
            return Future.succeededFuture();
        }));
    }

    @Override
    public void takeOver() {
        home.runOnContext(now -> catalog.load()
                .onSuccess(loaded -> resumeBuilds())
                .onFailure(failure -> resumeBuildsLater("The indexes cannot be read: " + failure.getMessage())));
    }

    /** Goes on with indexes that were being filled when their process ended. */
    private void resumeBuilds() {
        for (IndexDefinition index : catalog.unready()) {
            LOG.info("Filling the index of {} on {} goes on", index.bucket(), index.keys());
            createIndex(index.bucket(), index.keys()).onFailure(failure -> notFull(index, failure));
        }
    }

    private void notFull(IndexDefinition index, Throwable failure) {
        String reason = "The index of " + index.bucket() + " is not full: " + failure.getMessage();
        if (ApiException.of(failure).code() == ErrorCode.UNAVAILABLE) {
            resumeBuildsLater(reason);
        } else {
            LOG.info(reason);
        }
    }

    /** Once for all that wait for it. */
    private void resumeBuildsLater(String reason) {
        home.runOnContext(now -> {
            LOG.info(reason);
            if (!isResumptionDue && closing.isEmpty()) {
                isResumptionDue = true;
                long unused = vertx.setTimer(RESUMPTION_MILLIS, later -> {
                    isResumptionDue = false;
                    takeOver();
                });
            }
        });
    }

    @Override
    public Future<Optional<StoredObject>> find(ObjectRef ref, ReadLevel level) {
        return read(
                        ref.bucket(),
                        () -> at(level, linearizableLookUps).orElse(lookUps).find(ref))
                .map(found -> found.map(Found::object));
    }

    /** Empty if the level takes no more than {@link ReadLevel#COMMITTED}, or the server has no other. */
    private static <T> Optional<T> at(ReadLevel level, Optional<T> linearizable) {
        return level == ReadLevel.LINEARIZABLE ? linearizable : Optional.empty();
    }

    private <T> Future<T> read(ReadLevel level, Function<Queries, Future<T>> reading) {
        return at(level, readIndex)
                .map(index -> index.read(session -> reading.apply(queries.in(session))))
                .orElseGet(() -> reading.apply(queries));
    }

    @Override
    public Future<Map<ObjectRef, StoredObject>> findAll(Collection<ObjectRef> refs) {
        return ByBucket.read(refs, (bucket, some) -> read(bucket, () -> lookUps.findAll(bucket, some))
                .map(found -> found.stream().map(Found::object).toList()));
    }

    @Override
    public long form(String bucket) {
        return gates.form(bucket);
    }

    @Override
    public Future<StoredObject> insert(ObjectRef ref, BsonDocument fields, long form) {
        return write(new Batch.Insertion(ref, fields.clone(), form), Principal.SERVER);
    }

    @Override
    public Future<StoredObject> replace(
            ObjectRef ref, BsonDocument fields, long form, Precondition precondition, Principal writer) {
        return write(new Batch.Replacement(ref, fields.clone(), form, precondition), writer);
    }

    @Override
    public Future<StoredObject> update(
            ObjectRef ref, Update update, long form, Precondition precondition, Principal writer) {
        return write(new Batch.Revision(ref, update, form, precondition), writer);
    }

    @Override
    public Future<Optional<Tombstone>> delete(ObjectRef ref, long form, Precondition precondition, Principal writer) {
        Batch.Deletion deletion = new Batch.Deletion(ref, form, precondition);
        return call(() -> writes.one(deletion, Writes.guard(deletion, writer)))
                .map(outcomes -> outcomes.stream().map(Tombstone.class::cast).findFirst());
    }

    @Override
    public Future<List<Outcome>> commit(Batch batch) {
        return call(() -> writes.all(batch));
    }

    @Override
    public Future<List<StoredObject>> query(StoreQuery query) {
        return room.during(query.bound(), share -> query(query, share.part()));
    }

    @Override
    public <T> Future<T> query(List<StoreQuery> together, Function<List<List<StoredObject>>, Future<T>> use) {
        return room.together(together, this::query, use);
    }

    private Future<List<StoredObject>> query(StoreQuery query, ResultRoom.Part part) {
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
        return read(bucket, () -> queries.scan(bucket, after, limit));
    }

    @Override
    public Future<Void> truncate(String bucket, long form, Consumer<List<Tombstone>> deleted) {
        Context caller = vertx.getOrCreateContext();
        Runnable guard = () -> {
            requireOpen();
            gates.requireOpen(bucket, form);
        };
        return call(() -> truncation.of(bucket, guard, gone -> tell(caller, deleted, gone)));
    }

    @Override
    public Future<Void> drop(String bucket, Runnable guard, Consumer<List<Tombstone>> deleted) {
        Context caller = vertx.getOrCreateContext();
        Runnable guards = () -> {
            requireOpen();
            guard.run();
        };
        gates.drop(bucket);
        return call(() -> indexes.dropAll(bucket, guards)
                .compose(dropped -> truncation.of(bucket, guards, gone -> tell(caller, deleted, gone))));
    }

    @Override
    public <T> Future<T> whenOpen(Set<String> buckets, Supplier<Future<T>> write) {
        return gates.admit(buckets, write);
    }

    @Override
    public Future<Void> rewrite(Map<String, Rewrite> rewrites, Runnable done) {
        return chore(() -> {
            gates.close(rewrites.keySet());
            Future<Void> rewritten = rewriteAll(rewrites).compose(all -> {
                done.run();
                return Future.succeededFuture();
            });
            return rewritten.onComplete(outcome -> gates.open(rewrites.keySet(), rewritten));
        });
    }

    private Future<Void> rewriteAll(Map<String, Rewrite> rewrites) {
        Future<Void> rewritten = Future.succeededFuture();
        for (Map.Entry<String, Rewrite> rewrite : rewrites.entrySet()) {
            String bucket = rewrite.getKey();
            rewritten = rewritten
                    .compose(before -> visitors.gone(bucket))
                    .compose(gone -> rewriting.of(bucket, rewrite.getValue()));
        }
        return rewritten;
    }

    @Override
    public Future<Void> createIndex(String bucket, IndexKeys keys, long form) {
        return chore(() -> indexes.create(bucket, keys, form));
    }

    @Override
    public Future<Void> dropIndex(String bucket, IndexKeys keys) {
        return call(() -> indexes.drop(bucket, keys));
    }

    @Override
    public Future<List<IndexKeys>> indexes(String bucket) {
        return call(() -> Future.succeededFuture(catalog.of(bucket).stream()
                .filter(IndexDefinition::isReady)
                .map(IndexDefinition::keys)
                .toList()));
    }

    @Override
    public Future<Map<IndexKeys, Double>> unfinishedIndexes(String bucket) {
        return call(() -> indexes.unfinished(bucket));
    }

    @Override
    public Future<Void> close() {
        return onContext(home, vertx, () -> {
            Future<Void> closed = closing.orElseGet(() ->
                    calls.gone(EVERYTHING).compose(gone -> transactions.drain()).compose(drained -> release()));
            closing = Optional.of(closed);
            return closed;
        });
    }

    private Future<Void> release() {
        return workers.executeBlocking(() -> {
                    driver.close();
                    return true;
                })
                .compose(closed -> workers.close());
    }

    private Future<StoredObject> write(Batch.Write write, Principal writer) {
        return call(() -> writes.one(write, Writes.guard(write, writer)))
                .map(outcomes -> (StoredObject) outcomes.get(0));
    }

    private <T> Future<T> read(String bucket, Supplier<Future<T>> work) {
        return gates.pass(bucket, () -> call(work));
    }

    /** Does the work on the store's context and answers on the caller's. */
    private <T> Future<T> call(Supplier<Future<T>> work) {
        return chore(() -> calls.during(EVERYTHING, work));
    }

    /** The same for work that the end of the store is not put off for, as the next process goes on with it. */
    private <T> Future<T> chore(Supplier<Future<T>> work) {
        return onContext(home, vertx, () -> {
            requireOpen();
            return work.get()
                    .recover(failure -> Future.failedFuture(
                            failure instanceof ChangeFeed.PlaceLostException
                                    ? failure
                                    : Refusals.of(failure, config.queryBudget())));
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

    private Future<?> tell(Context caller, Consumer<List<Tombstone>> deleted, List<Tombstone> gone) {
        Promise<Void> told = Promise.promise();
        caller.runOnContext(now -> {
            try {
                deleted.accept(gone);
            } finally {
                home.runOnContext(then -> told.complete());
            }
        });
        return told.future();
    }
}
