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
        SchemaRegistry registry = new SchemaRegistry(store, data, new Snapshot(change.after(), journal.version()));
        return change.finish()
                .compose(done -> registry.store(StoredSchema.plain(change.after())))
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
        return change(before -> new SchemaEdit(before, editor).merge(request));
    }

    /** {@code POST /schema/:bucket}: merges the descriptor of that class. */
    public Future<Schema> mergeClass(String bucket, BsonDocument descriptor, Principal editor) {
        return change(before -> new SchemaEdit(before, editor).merge(named(bucket, descriptor)));
    }

    /** {@code PUT /schema/:bucket}: creates the class or replaces it; fields that are left out are removed. */
    public Future<Schema> replaceClass(String bucket, BsonDocument descriptor, Principal editor) {
        return change(before -> new SchemaEdit(before, editor).replaceClass(named(bucket, descriptor)));
    }

    /** {@code PUT /schema}: classes that are not listed are dropped with their objects; built-in classes stay. */
    public Future<Schema> replaceAll(BsonValue descriptors, Principal editor) {
        return change(before -> new SchemaEdit(before, editor).replaceAll(descriptors));
    }

    /** {@code DELETE /schema/:bucket}: drops the class with its objects. */
    public Future<Schema> delete(String bucket, Principal editor) {
        return change(before -> new SchemaEdit(before, editor).delete(bucket));
    }

    private synchronized Future<Schema> change(Function<Schema, SchemaEdit> edit) {
        Future<Schema> change =
                lastChange.otherwiseEmpty().compose(done -> unfinished.get()).compose(done -> apply(edit));
        lastChange = change;
        return change;
    }

    private Future<Schema> apply(Function<Schema, SchemaEdit> edit) {
        Schema before = snapshot.schema;
        SchemaEdit edited = edit.apply(before);
        Schema after = edited.build();
        if (after.descriptors().equals(before.descriptors())) {
            return Future.succeededFuture(before);
        }
        FieldMoves moves = new FieldMoves(before, after, edited.renames());
        SchemaChange change = new SchemaChange(before, after, moves.rewrites().keySet());
        boolean isAlone = moves.isEmpty() && change.removed().isEmpty();
        return (isAlone ? put(change) : putWithData(change, moves, edited.renames())).map(after);
    }

    private Future<Void> put(SchemaChange change) {
        return store(StoredSchema.plain(change.after()))
                .onSuccess(stored -> publish(change, stored))
                .mapEmpty();
    }

    /**
     * Stores what to do before doing it, so that the next change or the next process can finish what this one does not.
     */
    private Future<Void> putWithData(SchemaChange change, FieldMoves moves, List<FieldRename> renames) {
        return requireUnindexed(moves, change.rewritten())
                .compose(free -> store(StoredSchema.journal(change, renames)))
                .compose(stored -> carryOut(change, moves, stored));
    }

    /** Tries twice; what is done already is not changed by doing it again. */
    private Future<Void> carryOut(SchemaChange change, FieldMoves moves, StoredObject journal) {
        snapshot = new Snapshot(change.before(), journal.version());
        unfinished = () -> move(change, moves, journal);
        return unfinished.get().recover(failure -> unfinished.get());
    }

    private Future<Void> move(SchemaChange change, FieldMoves moves, StoredObject journal) {
        return store.rewrite(moves.rewrites(), () -> publish(change, journal))
                .compose(moved -> Future.join(change.rewritten().stream()
                        .<Future<?>>map(data::rewritten)
                        .toList()))
                .compose(announced -> Future.join(
                        change.removed().stream().<Future<?>>map(data::drop).toList()))
                .compose(dropped -> store(StoredSchema.plain(change.after())))
                .onSuccess(this::finished)
                .mapEmpty();
    }

    private void finished(StoredObject stored) {
        snapshot = new Snapshot(snapshot.schema, stored.version());
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

    private void publish(SchemaChange change, StoredObject stored) {
        snapshot = new Snapshot(change.after(), stored.version());
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
        private final ObjectCodec codec;
        private final RowCodec rows;
        private final long version;

        private Snapshot(Schema schema, long version) {
            this.schema = schema;
            this.codec = new ObjectCodec(schema);
            this.rows = new RowCodec(schema);
            this.version = version;
        }

        static Snapshot of(Optional<StoredObject> stored) {
            return stored.map(object -> new Snapshot(StoredSchema.schema(object.document()), object.version()))
                    .orElseGet(() -> new Snapshot(Schema.of(BuiltInClasses.ALL.values()), 0));
        }

        private Precondition precondition() {
            return version == 0 ? Precondition.none() : new Precondition.ExactVersion(version);
        }
    }
}
