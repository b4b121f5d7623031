package io.orestes.schema;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
import io.orestes.store.ObjectStore;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/**
 * The schema in force and the only way to change it. All classes are one stored object, so a change is stored as a whole or
 * not at all; changes run one after the other. All methods may be called from any thread, reading takes no lock.
 */
public final class SchemaRegistry {

    private static final ObjectRef STORED = new ObjectRef("_schema", "classes");

    private final ObjectStore store;
    private final Function<String, Future<?>> truncate;
    private final List<Consumer<SchemaChange>> listeners = new CopyOnWriteArrayList<>();
    private volatile Snapshot snapshot;
    private Future<?> lastChange = Future.succeededFuture();

    private SchemaRegistry(ObjectStore store, Function<String, Future<?>> truncate, Snapshot snapshot) {
        this.store = store;
        this.truncate = truncate;
        this.snapshot = snapshot;
    }

    /** Loads the stored schema, or starts with the built-in classes. Objects of removed classes vanish unannounced. */
    public static Future<SchemaRegistry> open(ObjectStore store) {
        return open(store, store::truncate);
    }

    /**
     * Loads the stored schema, or starts with the built-in classes.
     *
     * @param truncate deletes all objects of a class that was removed, with everything that deletions entail
     */
    public static Future<SchemaRegistry> open(ObjectStore store, Function<String, Future<?>> truncate) {
        return store.find(STORED).map(stored -> new SchemaRegistry(store, truncate, Snapshot.of(stored)));
    }

    /** The schema in force. */
    public Schema current() {
        return snapshot.schema;
    }

    /** Translates objects between wire and store by the schema in force. */
    public ObjectCodec codec() {
        return snapshot.codec;
    }

    /** Has every future change reported, before the future of the change completes. */
    public void onChange(Consumer<SchemaChange> listener) {
        listeners.add(listener);
    }

    /** {@code POST /schema}: merges a descriptor, an operation or an array of them; nothing if one of them is refused. */
    public Future<Schema> merge(BsonValue request, Principal editor) {
        return change(before -> new SchemaEdit(before, editor).merge(request).build());
    }

    /** {@code POST /schema/:bucket}: merges the descriptor of that class. */
    public Future<Schema> mergeClass(String bucket, BsonDocument descriptor, Principal editor) {
        return change(before ->
                new SchemaEdit(before, editor).merge(named(bucket, descriptor)).build());
    }

    /** {@code PUT /schema/:bucket}: creates the class or replaces it; fields that are left out are removed. */
    public Future<Schema> replaceClass(String bucket, BsonDocument descriptor, Principal editor) {
        return change(before -> new SchemaEdit(before, editor)
                .replaceClass(named(bucket, descriptor))
                .build());
    }

    /** {@code PUT /schema}: classes that are not listed are dropped with their objects; built-in classes stay. */
    public Future<Schema> replaceAll(BsonValue descriptors, Principal editor) {
        return change(
                before -> new SchemaEdit(before, editor).replaceAll(descriptors).build());
    }

    /** {@code DELETE /schema/:bucket}: drops the class with its objects. */
    public Future<Schema> delete(String bucket, Principal editor) {
        return change(before -> new SchemaEdit(before, editor).delete(bucket).build());
    }

    private synchronized Future<Schema> change(UnaryOperator<Schema> edit) {
        Future<Schema> change = lastChange.otherwiseEmpty().compose(done -> apply(edit));
        lastChange = change;
        return change;
    }

    private Future<Schema> apply(UnaryOperator<Schema> edit) {
        Snapshot before = snapshot;
        Schema after = edit.apply(before.schema);
        if (after.descriptors().equals(before.schema.descriptors())) {
            return Future.succeededFuture(before.schema);
        }
        return store.replace(
                        STORED,
                        new BsonDocument("classes", after.descriptors()),
                        before.precondition(),
                        Principal.SERVER)
                .compose(stored ->
                        publish(new Snapshot(after, stored.version()), new SchemaChange(before.schema, after)));
    }

    private Future<Schema> publish(Snapshot next, SchemaChange change) {
        snapshot = next;
        listeners.forEach(listener -> listener.accept(change));
        return Future.join(change.removed().stream().<Future<?>>map(truncate).toList())
                .map(next.schema);
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
        private final long version;

        private Snapshot(Schema schema, long version) {
            this.schema = schema;
            this.codec = new ObjectCodec(schema);
            this.version = version;
        }

        static Snapshot of(Optional<StoredObject> stored) {
            return stored.map(object ->
                            new Snapshot(StoredSchema.read(object.document().getArray("classes")), object.version()))
                    .orElseGet(() -> new Snapshot(Schema.of(BuiltInClasses.ALL.values()), 0));
        }

        private Precondition precondition() {
            return version == 0 ? Precondition.none() : new Precondition.ExactVersion(version);
        }
    }
}
