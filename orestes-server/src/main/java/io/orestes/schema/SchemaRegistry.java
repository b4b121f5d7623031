package io.orestes.schema;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The schema in force and the only way to change it. All classes are one stored object, so a change is stored as a whole or
 * not at all; changes run one after the other. All methods may be called from any thread, reading takes no lock.
 */
public final class SchemaRegistry {

    private static final ObjectRef STORED = new ObjectRef("_schema", "classes");
    private static final Logger log = LoggerFactory.getLogger(SchemaRegistry.class);

    private final ObjectStore store;
    private final ClassData data;
    private final List<Consumer<SchemaChange>> listeners = new CopyOnWriteArrayList<>();
    private volatile Snapshot snapshot;
    private Future<?> lastChange = Future.succeededFuture();
    /** What is left of the last change, to be done before the next one; mostly nothing. */
    private volatile Supplier<Future<Void>> unfinished = Future::succeededFuture;

    private SchemaRegistry(ObjectStore store, ClassData data, Snapshot snapshot) {
        this.store = store;
        this.data = data;
        this.snapshot = snapshot;
    }

    /** Loads the stored schema, or starts with the built-in classes. Objects vanish and change unannounced. */
    public static Future<SchemaRegistry> open(ObjectStore store) {
        return open(store, ClassData.unannounced(store));
    }

    /**
     * Loads the stored schema, or starts with the built-in classes. A change that the last process did not finish is
     * finished first.
     */
    public static Future<SchemaRegistry> open(ObjectStore store, ClassData data) {
        return store.find(STORED).compose(stored -> stored.filter(object -> StoredSchema.isJournal(object.document()))
                .map(object -> finish(store, data, object))
                .orElseGet(() -> Future.succeededFuture(new SchemaRegistry(store, data, Snapshot.of(stored)))));
    }

    private static Future<SchemaRegistry> finish(ObjectStore store, ClassData data, StoredObject journal) {
        UnfinishedChange change =
                new UnfinishedChange(store, data, journal.document(), InstantSource.system(), log::info);
        SchemaState state = StoredSchema.state(journal.document());
        SchemaRegistry registry =
                new SchemaRegistry(store, data, new Snapshot(change.after(), state, journal.version()));
        return change.finish()
                .compose(done -> registry.store(StoredSchema.plain(change.after(), state)))
                .onSuccess(registry::finished)
                .map(registry);
    }

    /** The schema in force. */
    public Schema current() {
        return snapshot.schema;
    }

    /** Translates objects between wire and store by the schema in force. */
    public ObjectCodec codec() {
        return snapshot.codec;
    }

    /** The codec for rows of aggregates that belongs to it. */
    public RowCodec rows() {
        return snapshot.rows;
    }

    /** Has every future change reported, before the future of the change completes. */
    public void onChange(Consumer<SchemaChange> listener) {
        listeners.add(listener);
    }

    /** {@code POST /schema}: merges a descriptor, an operation or an array of them; nothing if one of them is refused. */
    public Future<Schema> merge(BsonValue request, Principal editor) {
        return change(before -> edit(before, editor).merge(request));
    }

    /** {@code POST /schema/:bucket}: merges the descriptor of that class. */
    public Future<Schema> mergeClass(String bucket, BsonDocument descriptor, Principal editor) {
        return change(before -> edit(before, editor).merge(named(bucket, descriptor)));
    }

    /** {@code PUT /schema/:bucket}: creates the class or replaces it; fields that are left out are removed. */
    public Future<Schema> replaceClass(String bucket, BsonDocument descriptor, Principal editor) {
        return change(before -> edit(before, editor).replaceClass(named(bucket, descriptor)));
    }

    /** {@code PUT /schema}: classes that are not listed are dropped with their objects; built-in classes stay. */
    public Future<Schema> replaceAll(BsonValue descriptors, Principal editor) {
        return change(before -> edit(before, editor).replaceAll(descriptors));
    }

    /** {@code DELETE /schema/:bucket}: drops the class with its objects. */
    public Future<Schema> delete(String bucket, Principal editor) {
        return change(before -> edit(before, editor).delete(bucket));
    }

    /** Names of the migrations that were carried out, sorted. */
    public List<String> migrations() {
        return List.copyOf(snapshot.state.migrations());
    }

    /** What another server has to {@link #absorb} to know what this one knows. */
    public BsonDocument share() {
        return snapshot.state.appendTo(new BsonDocument());
    }

    /**
     * Learns what another server knows. Servers that do this in any order, however often, come to the same schema. Fails with
     * {@code SCHEMA_NOT_COMPATIBLE} if a coordinated change was made there that was not made here.
     */
    public Future<Schema> absorb(BsonDocument shared) {
        return inTurn(() -> {
            SchemaState other = SchemaState.in(shared, snapshot.schema);
            SchemaState known = snapshot.state;
            if (other.epoch() > known.epoch()) {
                throw SchemaRules.incompatible("The other server has seen a coordinated change that this one has not");
            }
            SchemaState joined = known.join(other);
            return replace(joined.schema(), joined, List.of(), Misfits.KEEP);
        });
    }

    private SchemaEdit edit(Schema before, Principal editor) {
        return new SchemaEdit(before, editor, snapshot.state.migrations());
    }

    private Future<Schema> change(Function<Schema, SchemaEdit> edit) {
        return inTurn(() -> apply(edit));
    }

    private synchronized Future<Schema> inTurn(Supplier<Future<Schema>> next) {
        Future<Schema> change =
                lastChange.otherwiseEmpty().compose(done -> unfinished.get()).compose(done -> next.get());
        lastChange = change;
        return change;
    }

    private Future<Schema> apply(Function<Schema, SchemaEdit> edit) {
        SchemaEdit edited = edit.apply(snapshot.schema);
        Schema after = edited.build();
        SchemaState state = snapshot.state.after(after, edited.migrations());
        return replace(after, state, edited.renames(), edited.misfits());
    }

    private Future<Schema> replace(Schema after, SchemaState state, List<FieldRename> renames, Misfits misfits) {
        Schema before = snapshot.schema;
        if (after.isSameAs(before)) {
            return remember(state).map(before);
        }
        FieldMoves moves = new FieldMoves(before, after, renames);
        SchemaChange change = new SchemaChange(before, after, moves.rewrites().keySet());
        Inspection inspection = new Inspection(before, after, moves, misfits);
        boolean isAlone = moves.isEmpty() && change.removed().isEmpty();
        return requireUnindexed(moves, change.rewritten())
                .compose(free -> inspected(inspection))
                .compose(passed -> isAlone ? put(change, state) : putWithData(change, moves, state, renames))
                .map(after);
    }

    /** What clients get is the same. */
    private Future<Void> remember(SchemaState state) {
        BsonDocument stored = StoredSchema.plain(snapshot.schema, state);
        return stored.equals(StoredSchema.plain(snapshot.schema, snapshot.state))
                ? Future.succeededFuture()
                : store(stored)
                        .onSuccess(object -> snapshot = new Snapshot(snapshot.schema, state, object.version()))
                        .mapEmpty();
    }

    /** Fails with {@code SCHEMA_NOT_COMPATIBLE} if stored objects could not go on by the next schema. */
    private Future<Void> inspected(Inspection inspection) {
        return inspection.isNeeded()
                ? inspect(inspection)
                        .recover(failure -> inspect(inspection))
                        .onFailure(failure ->
                                unfinished = () -> inspect(inspection).map(done -> {
                                    unguard();
                                    return null;
                                }))
                        .compose(done -> inspection
                                .refusal()
                                .<Future<Void>>map(Future::failedFuture)
                                .orElseGet(Future::succeededFuture))
                : Future.succeededFuture();
    }

    /** While the last object is looked at nothing is written; from then on nothing that does not fit. */
    private Future<Void> inspect(Inspection inspection) {
        return store.rewrite(inspection.looks(), () -> {
            if (inspection.refusal().isEmpty()) {
                snapshot = snapshot.guarded(inspection);
            }
        });
    }

    private void unguard() {
        snapshot = new Snapshot(snapshot.schema, snapshot.state, snapshot.version);
        unfinished = Future::succeededFuture;
    }

    private Future<Void> put(SchemaChange change, SchemaState state) {
        return store(StoredSchema.plain(change.after(), state))
                .onFailure(failure -> unguard())
                .onSuccess(stored -> publish(change, state, stored))
                .mapEmpty();
    }

    /**
     * Stores what to do before doing it, so that the next change or the next process can finish what this one does not.
     */
    private Future<Void> putWithData(
            SchemaChange change, FieldMoves moves, SchemaState state, List<FieldRename> renames) {
        return store(StoredSchema.journal(change, state, renames))
                .onFailure(failure -> unguard())
                .compose(stored -> carryOut(change, moves, state, stored));
    }

    /** Tries twice; what is done already is not changed by doing it again. */
    private Future<Void> carryOut(SchemaChange change, FieldMoves moves, SchemaState state, StoredObject journal) {
        snapshot = snapshot.at(journal.version());
        unfinished = () -> move(change, moves, state, journal);
        return unfinished.get().recover(failure -> unfinished.get());
    }

    private Future<Void> move(SchemaChange change, FieldMoves moves, SchemaState state, StoredObject journal) {
        return store.rewrite(moves.rewrites(), () -> publish(change, state, journal))
                .compose(moved -> Future.join(change.rewritten().stream()
                        .<Future<?>>map(data::rewritten)
                        .toList()))
                .compose(announced -> Future.join(
                        change.removed().stream().<Future<?>>map(data::drop).toList()))
                .compose(dropped -> store(StoredSchema.plain(change.after(), state)))
                .onSuccess(this::finished)
                .mapEmpty();
    }

    private void finished(StoredObject stored) {
        snapshot = snapshot.at(stored.version());
        unfinished = Future::succeededFuture;
    }

    private Future<Void> requireUnindexed(FieldMoves moves, Set<String> buckets) {
        return Future.join(buckets.stream()
                        .<Future<?>>map(bucket -> store.indexes(bucket).map(indexes -> {
                            moves.requireUnindexed(bucket, indexes);
                            return indexes;
                        }))
                        .toList())
                .mapEmpty();
    }

    private Future<StoredObject> store(BsonDocument fields) {
        return store.replace(STORED, fields, snapshot.precondition(), Principal.SERVER);
    }

    private void publish(SchemaChange change, SchemaState state, StoredObject stored) {
        snapshot = new Snapshot(change.after(), state, stored.version());
        listeners.forEach(listener -> listener.accept(change));
    }

    private static BsonDocument named(String bucket, BsonDocument descriptor) {
        if (!Descriptors.className(descriptor).equals(bucket)) {
            throw new ApiException(ErrorCode.BAD_REQUEST, "The body describes another class than /db/" + bucket);
        }
        return descriptor;
    }

    /** A schema with what depends on it alone; version 0 is that of a schema which was never stored. */
    private static final class Snapshot {

        private final Schema schema;
        private final SchemaState state;
        private final ObjectCodec codec;
        private final RowCodec rows;
        private final long version;

        private Snapshot(Schema schema, SchemaState state, long version) {
            this(schema, state, new ObjectCodec(schema), version);
        }

        private Snapshot(Schema schema, SchemaState state, ObjectCodec codec, long version) {
            this.schema = schema;
            this.state = state;
            this.codec = codec;
            this.rows = new RowCodec(schema);
            this.version = version;
        }

        private Snapshot guarded(Inspection inspection) {
            return new Snapshot(schema, state, new ObjectCodec(schema, inspection::require), version);
        }

        private Snapshot at(long newVersion) {
            return new Snapshot(schema, state, codec, newVersion);
        }

        static Snapshot of(Optional<StoredObject> stored) {
            return stored.map(Snapshot::of).orElseGet(Snapshot::builtIn);
        }

        private static Snapshot of(StoredObject stored) {
            return new Snapshot(
                    StoredSchema.schema(stored.document()), StoredSchema.state(stored.document()), stored.version());
        }

        private static Snapshot builtIn() {
            Schema schema = Schema.of(BuiltInClasses.ALL.values());
            return new Snapshot(schema, SchemaState.of(0, schema, Set.of()), 0);
        }

        private Precondition precondition() {
            return version == 0 ? Precondition.none() : new Precondition.ExactVersion(version);
        }
    }
}
