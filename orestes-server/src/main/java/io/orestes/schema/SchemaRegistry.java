package io.orestes.schema;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
import io.orestes.schema.change.ClassDataHandler;
import io.orestes.schema.change.SchemaChangePlan;
import io.orestes.schema.change.SchemaChangeRecovery;
import io.orestes.schema.change.SchemaCoordination;
import io.orestes.schema.change.SchemaCrdt;
import io.orestes.schema.change.SchemaTransition;
import io.orestes.schema.change.StoredSchema;
import io.orestes.schema.codec.AggregateRowCodec;
import io.orestes.schema.codec.ObjectCodec;
import io.orestes.schema.edit.SchemaEditor;
import io.orestes.schema.migration.DataMigration;
import io.orestes.schema.migration.MisfitPolicy;
import io.orestes.schema.migration.StoredObjectCompatibilityCheck;
import io.orestes.schema.model.ClassDescriptorCodec;
import io.orestes.schema.model.Schema;
import io.orestes.store.ObjectStore;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The schema in force and the only way to change it. All classes are one stored object, so a change
 * is stored as a whole or not at all; changes run one after the other. If several servers share the
 * store, a server whose change conflicted with another one joins the additions of both ({@link
 * SchemaCrdt}). All methods may be called from any thread, reading takes no lock. Each effect
 * of a change is a stage of its future, not a separate handler: a thread without a context could
 * continue before such a handler has run.
 */
public final class SchemaRegistry {

    private static final ObjectRef STORED = new ObjectRef("_schema", "classes");
    /**
     * Maximum number of attempts for one change against concurrent changes of other servers; each
     * attempt means that one of those succeeded.
     */
    private static final int MAX_ATTEMPTS = 50;

    private static final Logger log = LoggerFactory.getLogger(SchemaRegistry.class);

    private final ObjectStore store;
    private final ClassDataHandler data;
    private final SchemaCoordination peers;
    private final List<Consumer<SchemaTransition>> listeners = new CopyOnWriteArrayList<>();
    private volatile SchemaSnapshot snapshot;
    private Future<?> lastChange = Future.succeededFuture();
    /** Cleanup of the last scan, to be completed before the next change; mostly empty. */
    private volatile Supplier<Future<Void>> pendingInspection = Future::succeededFuture;

    /** True while a stored change is not completed. */
    private volatile boolean isUnfinished;

    /** Classes of that change, or of the last such change. */
    private volatile Set<String> unfinished = Set.of();

    private SchemaRegistry(
            ObjectStore store, ClassDataHandler data, SchemaCoordination peers, SchemaSnapshot snapshot) {
        this.store = store;
        this.data = data;
        this.peers = peers;
        this.snapshot = snapshot;
    }

    /**
     * Loads the stored schema, or starts with the built-in classes. Deletions and rewrites of
     * objects are not announced.
     */
    public static Future<SchemaRegistry> open(ObjectStore store) {
        return open(store, ClassDataHandler.withoutCaches(store));
    }

    /**
     * Loads the stored schema, or starts with the built-in classes. A change that the last process
     * did not finish is finished first.
     */
    public static Future<SchemaRegistry> open(ObjectStore store, ClassDataHandler data) {
        return open(store, data, SchemaCoordination.NONE)
                .compose(registry -> registry.isUnfinished
                        ? registry.initialise(true).map(registry)
                        : Future.succeededFuture(registry));
    }

    /**
     * Loads the schema of one of several servers, which calls {@link #initialise} when it can
     * receive messages of the others.
     */
    public static Future<SchemaRegistry> open(ObjectStore store, ClassDataHandler data, SchemaCoordination peers) {
        return store.find(STORED).map(stored -> {
            SchemaSnapshot snapshot = stored.map(SchemaSnapshot::of).orElseGet(SchemaSnapshot::builtIn);
            SchemaRegistry registry = new SchemaRegistry(store, data, peers, snapshot);
            stored.filter(SchemaRegistry::isJournal)
                    .map(SchemaChangePlan::fromJournal)
                    .ifPresent(registry::setUnfinished);
            return registry;
        });
    }

    /**
     * Adopts the stored schema.
     *
     * @param isFirst true if no other server uses it, so that an unfinished change is finished
     *     here; else this fails with {@code UNAVAILABLE} while one runs
     */
    public Future<Void> initialise(boolean isFirst) {
        return peers.acquireLock()
                .compose(turn -> enqueue(() -> isFirst ? finishAlone(turn) : readStored())
                        .onComplete(done -> turn.release()))
                .mapEmpty();
    }

    private Future<Schema> finishAlone(SchemaCoordination.SchemaLock turn) {
        return store.find(STORED).compose(found -> found.filter(SchemaRegistry::isJournal)
                .map(journal -> finishAlone(journal, turn).map(done -> snapshot.schema()))
                .orElseGet(() -> adopt(found.orElse(null))));
    }

    private Future<Void> finishAlone(StoredObject journal, SchemaCoordination.SchemaLock turn) {
        SchemaChangePlan plan = SchemaChangePlan.fromJournal(journal);
        setUnfinished(plan);
        snapshot = SchemaSnapshot.of(journal);
        return new SchemaChangeRecovery(store, data, journal.document(), InstantSource.system(), log::info)
                .finish(turn)
                .compose(done -> store(plan.stored()))
                .map(this::setFinished);
    }

    private static boolean isJournal(StoredObject stored) {
        return StoredSchema.isJournal(stored.document());
    }

    /** Returns the schema in force. */
    public Schema current() {
        return snapshot.schema();
    }

    /** Returns the codec of objects for the schema in force. */
    public ObjectCodec codec() {
        return snapshot.codec();
    }

    /** Returns the codec of aggregate rows for the schema in force. */
    public AggregateRowCodec rows() {
        return snapshot.rows();
    }

    /**
     * Adds a listener, which is called on every change before the future of the change completes.
     */
    public void onChange(Consumer<SchemaTransition> listener) {
        listeners.add(listener);
    }

    /**
     * {@code POST /schema}: merges a descriptor, an operation or an array of them; all or none of
     * them.
     */
    public Future<Schema> merge(BsonValue request, Principal editor) {
        return change(before -> edit(before, editor).merge(request));
    }

    /** {@code POST /schema/:bucket}: merges the descriptor of that class. */
    public Future<Schema> mergeClass(String bucket, BsonDocument descriptor, Principal editor) {
        return change(before -> edit(before, editor).merge(named(bucket, descriptor)));
    }

    /**
     * {@code PUT /schema/:bucket}: creates the class or replaces it; omitted fields are removed.
     */
    public Future<Schema> replaceClass(String bucket, BsonDocument descriptor, Principal editor) {
        return change(before -> edit(before, editor).replaceClass(named(bucket, descriptor)));
    }

    /**
     * {@code PUT /schema}: classes that are not listed are dropped with their objects; built-in
     * classes stay.
     */
    public Future<Schema> replaceAll(BsonValue descriptors, Principal editor) {
        return change(before -> edit(before, editor).replaceAll(descriptors));
    }

    /** {@code DELETE /schema/:bucket}: drops the class with its objects. */
    public Future<Schema> delete(String bucket, Principal editor) {
        return change(before -> edit(before, editor).delete(bucket));
    }

    /** Returns the names of the completed migrations, sorted. */
    public List<String> migrations() {
        return List.copyOf(snapshot.state().migrations());
    }

    private SchemaEditor edit(Schema before, Principal editor) {
        return new SchemaEditor(before, editor, snapshot.state().migrations());
    }

    /**
     * Adopts the schema that another server on the same store made; fails with {@code UNAVAILABLE}
     * while its change is unfinished.
     */
    public Future<Schema> refresh() {
        return enqueue(this::readStored);
    }

    private Future<Schema> readStored() {
        return store.find(STORED).compose(found -> adopt(found.orElse(null)));
    }

    /**
     * Finishes the change of a server that has failed, and waits until all servers use the result.
     * Fails with {@code UNAVAILABLE} while a server runs one.
     */
    public Future<Schema> recover() {
        return withLock(this::finishPending);
    }

    private Future<Schema> adopt(@Nullable StoredObject found) {
        if (found != null && isJournal(found)) {
            setUnfinished(SchemaChangePlan.fromJournal(found));
            return Future.failedFuture(
                    new ApiException(ErrorCode.UNAVAILABLE, "Another server is changing the schema; try again"));
        }
        isUnfinished = false;
        if (found != null && found.version() > snapshot.version()) {
            publish(found);
        }
        return Future.succeededFuture(snapshot.schema());
    }

    /**
     * Publishes a change of another server. Its renames are unknown here, and appear as removals.
     */
    private void publish(StoredObject stored) {
        SchemaSnapshot next = SchemaSnapshot.of(stored);
        DataMigration moves = new DataMigration(snapshot.schema(), next.schema(), List.of());
        SchemaTransition transition = new SchemaTransition(
                snapshot.schema(), next.schema(), moves.rewrites().keySet());
        publish(transition, next);
    }

    private Future<Schema> change(Function<Schema, SchemaEditor> edit) {
        return enqueue(() -> {
                    peers.requireConnected();
                    return isUnfinished ? exclusive() : changeOptimistically(edit, plan(edit), MAX_ATTEMPTS);
                })
                .compose(made -> made.map(schema -> peers.publishChange().map(schema))
                        .orElseGet(() -> withLock(turn -> changeExclusively(edit, turn))));
    }

    private Future<Schema> changeExclusively(Function<Schema, SchemaEditor> edit, SchemaCoordination.SchemaLock turn) {
        turn.requireValid();
        return finishPending(turn)
                .compose(done -> execute(plan(edit), turn))
                .recover(failure -> isOutdated(failure) ? changeExclusively(edit, turn) : Future.failedFuture(failure));
    }

    private SchemaChangePlan plan(Function<Schema, SchemaEditor> edit) {
        SchemaEditor edited = edit.apply(snapshot.schema());
        Schema after = edited.build();
        SchemaCrdt state = snapshot.state().after(after, edited.migrations());
        return SchemaChangePlan.of(snapshot.schema(), after, state, edited.renames(), edited.misfits());
    }

    /**
     * Makes a change that other servers may receive later; completes empty, without an effect, if
     * it is not of that kind.
     */
    private Future<Optional<Schema>> changeOptimistically(
            Function<Schema, SchemaEditor> edit, SchemaChangePlan plan, int attempts) {
        return plan.concernsObjects()
                ? exclusive()
                : execute(plan, SchemaCoordination.SchemaLock.UNCONTENDED)
                        .map(Optional::of)
                        .recover(failure -> isOutdated(failure)
                                ? retryOptimistically(edit, plan, attempts)
                                : Future.failedFuture(failure));
    }

    private static Future<Optional<Schema>> exclusive() {
        return Future.succeededFuture(Optional.empty());
    }

    private Future<Optional<Schema>> retryOptimistically(
            Function<Schema, SchemaEditor> edit, SchemaChangePlan plan, int attempts) {
        return attempts > 0
                ? store.find(STORED)
                        .compose(found -> found.filter(SchemaRegistry::isJournal)
                                        .isPresent()
                                ? exclusive()
                                : adopt(found.orElse(null))
                                        .compose(adopted -> changeOptimistically(edit, next(edit, plan), attempts - 1)))
                : Future.failedFuture(new ApiException(
                        ErrorCode.UNAVAILABLE, "Other servers change the schema all the time; try again"));
    }

    /**
     * Returns the plan after a conflict. If both changes only let the schema grow, it joins them;
     * else it is computed anew from the other server's state.
     */
    private SchemaChangePlan next(Function<Schema, SchemaEditor> edit, SchemaChangePlan overtaken) {
        return snapshot.state()
                .mergeGrowth(overtaken.state())
                .map(joined ->
                        SchemaChangePlan.of(snapshot.schema(), joined.schema(), joined, List.of(), MisfitPolicy.REFUSE))
                .orElseGet(() -> plan(edit));
    }

    private static boolean isOutdated(Throwable failure) {
        return ApiException.of(failure).code() == ErrorCode.OBJECT_OUT_OF_DATE;
    }

    private Future<Schema> withLock(Function<SchemaCoordination.SchemaLock, Future<Schema>> work) {
        return peers.acquireLock().compose(turn -> enqueue(() -> work.apply(turn))
                .transform(outcome -> outcome.succeeded()
                        ? turn.resumeAll().map(outcome.result())
                        : resumeUnlessUnfinished(turn).transform(done -> Future.failedFuture(outcome.cause())))
                .onComplete(done -> turn.release()));
    }

    /**
     * Resumes all servers after a failed change; if objects are half rewritten they stay paused.
     */
    private Future<Void> resumeUnlessUnfinished(SchemaCoordination.SchemaLock turn) {
        if (isUnfinished) {
            turn.abandon(unfinished);
            return Future.succeededFuture();
        }
        return turn.resumeAll();
    }

    private Future<Schema> finishPending(SchemaCoordination.SchemaLock turn) {
        return store.find(STORED).compose(found -> {
            if (found.filter(SchemaRegistry::isJournal).isEmpty()) {
                return adopt(found.orElse(null));
            }
            StoredObject journal = found.orElseThrow();
            SchemaChangePlan plan = SchemaChangePlan.fromJournal(journal);
            setUnfinished(plan);
            return turn.pauseOthers(plan.buckets())
                    .compose(left -> migrateWithRetry(plan, journal, turn))
                    .map(done -> snapshot.schema());
        });
    }

    private synchronized <T> Future<T> enqueue(Supplier<Future<T>> next) {
        Future<T> change = lastChange
                .otherwiseEmpty()
                .compose(done -> pendingInspection.get())
                .compose(done -> next.get());
        lastChange = change;
        return change;
    }

    private Future<Schema> execute(SchemaChangePlan plan, SchemaCoordination.SchemaLock turn) {
        if (plan.isEmpty()) {
            return remember(plan.state()).map(snapshot.schema());
        }
        return requireUnindexed(plan)
                .compose(free -> plan.concernsObjects() ? turn.pauseOthers(plan.buckets()) : Future.succeededFuture())
                .compose(left -> requireCompatible(plan.compatibility()))
                .compose(passed -> plan.changesObjects() ? storeAndMigrate(plan, turn) : storeAndPublish(plan))
                .map(plan.transition().after());
    }

    /** Stores the state; the clients' form of the schema is unchanged. */
    private Future<Void> remember(SchemaCrdt state) {
        BsonDocument stored = StoredSchema.plain(snapshot.schema(), state);
        return stored.equals(StoredSchema.plain(snapshot.schema(), snapshot.state()))
                ? Future.succeededFuture()
                : store(stored).map(object -> {
                    snapshot = new SchemaSnapshot(snapshot.schema(), state, object.version());
                    return null;
                });
    }

    /**
     * Fails with {@code SCHEMA_NOT_COMPATIBLE} if stored objects would be incompatible with the
     * next schema.
     */
    private Future<Void> requireCompatible(StoredObjectCompatibilityCheck compatibilityCheck) {
        return compatibilityCheck.isNeeded()
                ? inspect(compatibilityCheck)
                        .recover(failure -> inspect(compatibilityCheck))
                        .onFailure(failure -> pendingInspection =
                                () -> inspect(compatibilityCheck).map(done -> {
                                    unguard();
                                    return null;
                                }))
                        .compose(done -> compatibilityCheck
                                .refusal()
                                .<Future<Void>>map(Future::failedFuture)
                                .orElseGet(Future::succeededFuture))
                : Future.succeededFuture();
    }

    /**
     * Scans the objects. Writes are blocked during the last one; after that, incompatible writes
     * are refused.
     */
    private Future<Void> inspect(StoredObjectCompatibilityCheck compatibilityCheck) {
        return store.rewrite(compatibilityCheck.scans(), () -> {
            if (compatibilityCheck.refusal().isEmpty()) {
                snapshot = snapshot.guarded(compatibilityCheck);
            }
        });
    }

    private Future<StoredObject> orUnguarded(Future<StoredObject> stored) {
        return stored.recover(failure -> {
            unguard();
            return Future.failedFuture(failure);
        });
    }

    private void unguard() {
        snapshot = snapshot.unguarded();
        pendingInspection = Future::succeededFuture;
    }

    private Future<Void> storeAndPublish(SchemaChangePlan plan) {
        return orUnguarded(store(plan.stored())).map(stored -> {
            publish(plan, stored);
            return null;
        });
    }

    /**
     * Stores the plan before running it, so that the next change or another process can finish it.
     */
    private Future<Void> storeAndMigrate(SchemaChangePlan plan, SchemaCoordination.SchemaLock turn) {
        turn.requireValid();
        return orUnguarded(store(plan.journal())).compose(journal -> migrateWithRetry(plan, journal, turn));
    }

    /** Runs the plan, at most twice; a repetition leaves completed work unchanged. */
    private Future<Void> migrateWithRetry(
            SchemaChangePlan plan, StoredObject journal, SchemaCoordination.SchemaLock turn) {
        log.info(
                "Changing stored objects. Fields are renamed, removed or converted in: {}. Removed classes: {}",
                plan.transition().rewritten(),
                plan.transition().removed());
        snapshot = snapshot.withVersion(journal.version());
        setUnfinished(plan);
        return migrate(plan, journal, turn).recover(failure -> migrate(plan, journal, turn));
    }

    private Future<Void> migrate(SchemaChangePlan plan, StoredObject journal, SchemaCoordination.SchemaLock turn) {
        SchemaTransition change = plan.transition();
        return store.rewrite(plan.rewrites(turn), () -> publish(plan, journal))
                .compose(moved -> Future.join(change.rewritten().stream()
                        .<Future<?>>map(data::invalidate)
                        .toList()))
                .compose(announced -> Future.join(change.removed().stream()
                        .<Future<?>>map(bucket -> drop(bucket, turn))
                        .toList()))
                .compose(dropped -> store(plan.stored()))
                .map(this::setFinished);
    }

    private Future<?> drop(String bucket, SchemaCoordination.SchemaLock turn) {
        turn.requireValid();
        return data.drop(bucket, turn::requireValid);
    }

    private void setUnfinished(SchemaChangePlan plan) {
        unfinished = plan.buckets();
        isUnfinished = true;
    }

    private Void setFinished(StoredObject stored) {
        snapshot = snapshot.withVersion(stored.version());
        isUnfinished = false;
        return null;
    }

    private Future<Void> requireUnindexed(SchemaChangePlan plan) {
        return Future.join(plan.transition().rewritten().stream()
                        .<Future<?>>map(bucket -> store.indexes(bucket).map(indexes -> {
                            plan.migration().requireUnindexed(bucket, indexes);
                            return indexes;
                        }))
                        .toList())
                .mapEmpty();
    }

    private Future<StoredObject> store(BsonDocument fields) {
        return store.replace(STORED, fields, snapshot.precondition(), Principal.SERVER);
    }

    private void publish(SchemaChangePlan plan, StoredObject stored) {
        publish(plan.transition(), new SchemaSnapshot(plan.transition().after(), plan.state(), stored.version()));
    }

    private void publish(SchemaTransition transition, SchemaSnapshot next) {
        snapshot = next;
        listeners.forEach(listener -> listener.accept(transition));
    }

    private static BsonDocument named(String bucket, BsonDocument descriptor) {
        if (!ClassDescriptorCodec.className(descriptor).equals(bucket)) {
            throw new ApiException(ErrorCode.BAD_REQUEST, "The body describes another class than /db/" + bucket);
        }
        return descriptor;
    }
}
