package io.orestes.read;

import io.invalidb.query.Filter;
import io.invalidb.query.HeapSize;
import io.orestes.auth.AccessControl;
import io.orestes.json.JsonWriter;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Principal;
import io.orestes.model.ReadLevel;
import io.orestes.model.StoredObject;
import io.orestes.schema.ClassOperation;
import io.orestes.schema.ObjectCodec;
import io.orestes.schema.SchemaRegistry;
import io.orestes.store.ObjectStore;
import io.orestes.store.StoreQuery;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * A reader that replaces references in objects by the objects themselves, down to a given depth. A
 * reference stays if the caller may not load its object, or if the object does not exist. It also
 * stays if the object that has it is part of that object, or if a number of objects is reached. The
 * response is for the caller alone, since no cache could know when it becomes stale.
 */
public final class ReferenceExpander {

    /**
     * Objects in the place of references in one answer, and referenced objects that are loaded for
     * it.
     */
    private static final int MOST = 1_000;

    /** What these may take: as JSON in the answer, of the heap as what is loaded. */
    private static final int MOST_BYTES = 8 << 20;

    /** Objects in one request: those nothing is known of may be large. */
    private static final int FEW = 50;

    private static final int MANY = 200;

    private static final int MOST_WAITING = 1_000;

    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final SchemaRegistry schemas;
    private final ObjectStore store;
    private final QueryReader queries;
    private final ClassConsistency consistency;
    private final int maxDepth;
    private final Bulkhead turns;

    /** @param maxDepth most references in a row that are followed */
    public ReferenceExpander(
            Vertx vertx,
            SchemaRegistry schemas,
            ObjectStore store,
            QueryReader queries,
            ClassConsistency consistency,
            int maxDepth) {
        this.schemas = schemas;
        this.store = store;
        this.queries = queries;
        this.consistency = consistency;
        this.maxDepth = maxDepth;
        this.turns = new Bulkhead(vertx, atOnce(Runtime.getRuntime().maxMemory()), MOST_WAITING, PATIENCE);
    }

    /**
     * So many that what they load takes half of the room for results: more would keep each other
     * from all of it.
     */
    static int atOnce(long heap) {
        return (int) Math.max(1, heap / 16 / MOST_BYTES);
    }

    /**
     * How deep the caller gets: a number, or {@code true} for as deep as is allowed; fails with
     * {@code BAD_REQUEST}.
     */
    public int depth(String asked) {
        if (asked.equals("true")) {
            return maxDepth;
        }
        if (!asked.matches("\\d{1,9}")) {
            throw new ApiException(ErrorCode.BAD_REQUEST, "depth has to be a whole number or true: " + asked);
        }
        return Math.min(Integer.parseInt(asked), maxDepth);
    }

    /**
     * An object; fails as {@link ObjectReader#load} does, and with {@code UNAVAILABLE} if too many
     * ask for objects with depth.
     */
    public Future<Buffer> load(Principal principal, ObjectRef ref, int depth, ReadLevel level) {
        schemas.current().entity(ref.bucket()).require(ClassOperation.LOAD, principal);
        return inTurn(depth, () -> store.find(ref, consistency.level(ref.bucket(), level))
                .map(found -> AccessControl.readable(principal, found).orElseThrow(() -> missing(ref)))
                .compose(root -> expanded(principal, List.of(root), depth, level))
                .map(array -> JsonWriter.write(array.get(0))));
    }

    /**
     * The result of a query; fails as {@link QueryReader#query} does, and as {@link #load} does.
     */
    public Future<Buffer> query(Principal principal, QueryRequest request, int depth, ReadLevel level) {
        return inTurn(depth, () -> queries.select(
                        principal, request, level, roots -> expanded(principal, roots, depth, level))
                .map(JsonWriter::write));
    }

    /** What loads nothing more than it would without depth waits for nobody. */
    private <T> Future<T> inTurn(int depth, Supplier<Future<T>> work) {
        return depth == 0 ? work.get() : turns.run(work);
    }

    private Future<BsonArray> expanded(Principal principal, List<StoredObject> roots, int depth, ReadLevel level) {
        Expansion expansion = new Expansion(principal, schemas.codec(), level);
        return expansion.load(roots, depth, () -> Future.succeededFuture(expansion.render(roots, depth)));
    }

    private static Filter anyOf(BsonArray ids) {
        return Filter.parse(new BsonDocument(StoredObject.ID, new BsonDocument("$in", ids)));
    }

    /** Half of them may be a result. */
    private static boolean isTooMuch(Throwable failure) {
        return failure instanceof ApiException refusal && refusal.code() == ErrorCode.QUERY_NOT_SUPPORTED;
    }

    private static ApiException missing(ObjectRef ref) {
        return new ApiException(ErrorCode.OBJECT_NOT_FOUND, "There is no object " + ref.id());
    }

    /** One answer on its way, by one schema. */
    private final class Expansion {

        private final Principal principal;
        private final ObjectCodec codec;
        private final ReadLevel level;
        private final ReferenceReplacer referenceReplacer;
        private final Map<String, StoredObject> known = new HashMap<>();
        private final Set<String> asked = new HashSet<>();
        private final Budget loadable = new Budget();
        private final Budget placeable = new Budget();

        private Expansion(Principal principal, ObjectCodec codec, ReadLevel level) {
            this.level = level;
            this.principal = principal;
            this.codec = codec;
            this.referenceReplacer = new ReferenceReplacer(codec.schema());
        }

        /** Level by level, each in parts. All count as results until what comes then is done. */
        private <T> Future<T> load(List<StoredObject> objects, int depth, Supplier<Future<T>> then) {
            objects.forEach(object -> known.put(object.ref().id(), object));
            List<ObjectRef> next = depth == 0 ? List.of() : referencesIn(objects);
            List<StoredObject> found = new ArrayList<>();
            return next.isEmpty()
                    ? then.get()
                    : loadAll(next, loadable.atOnce(), found, () -> load(found, depth - 1, then));
        }

        private List<ObjectRef> referencesIn(List<StoredObject> objects) {
            List<ObjectRef> next = new ArrayList<>();
            for (StoredObject object : objects) {
                BsonDocument unused = replaced(object, id -> {
                    follow(id.asString().getValue()).ifPresent(next::add);
                    return id;
                });
            }
            return next;
        }

        /** The object, if it is to be loaded and was not met before. */
        private Optional<ObjectRef> follow(String id) {
            return asked.size() < MOST && asked.add(id) && !known.containsKey(id)
                    ? ObjectRef.parse(id).filter(this::mayLoad)
                    : Optional.empty();
        }

        private <T> Future<T> loadAll(
                List<ObjectRef> refs, int atOnce, List<StoredObject> found, Supplier<Future<T>> then) {
            List<ObjectRef> part = refs.subList(0, Math.min(atOnce, refs.size()));
            List<ObjectRef> others = refs.subList(part.size(), refs.size());
            AtomicBoolean isRead = new AtomicBoolean();
            return store.query(queries(part), results -> {
                        isRead.set(true);
                        take(part, results, found);
                        return others.isEmpty() || loadable.isSpent()
                                ? then.get()
                                : loadAll(others, loadable.atOnce(), found, then);
                    })
                    .recover(failure -> part.size() > 1 && !isRead.get() && isTooMuch(failure)
                            ? loadAll(refs, part.size() / 2, found, then)
                            : Future.failedFuture(failure));
        }

        /** One for each class. */
        private List<StoreQuery> queries(List<ObjectRef> refs) {
            Map<String, BsonArray> ids = new LinkedHashMap<>();
            refs.forEach(ref ->
                    ids.computeIfAbsent(ref.bucket(), bucket -> new BsonArray()).add(new BsonString(ref.id())));
            return ids.entrySet().stream()
                    .map(each -> StoreQuery.all(each.getKey(), anyOf(each.getValue()))
                            .bounded()
                            .at(consistency.level(each.getKey(), level)))
                    .toList();
        }

        /** In the order in which they are referred to. */
        private void take(List<ObjectRef> part, List<List<StoredObject>> results, List<StoredObject> found) {
            Map<ObjectRef, StoredObject> there =
                    results.stream().flatMap(List::stream).collect(Collectors.toMap(StoredObject::ref, it -> it));
            loadable.asked += part.size();
            part.forEach(ref -> AccessControl.readable(principal, Optional.ofNullable(there.get(ref)))
                    .filter(readable -> loadable.takes(HeapSize.of(readable.document())))
                    .ifPresent(found::add));
        }

        private boolean mayLoad(ObjectRef ref) {
            return codec.schema()
                    .find(ref.bucket())
                    .filter(type -> type.permission(ClassOperation.LOAD).permits(principal))
                    .isPresent();
        }

        private BsonArray render(List<StoredObject> roots, int depth) {
            BsonArray array = new BsonArray(roots.size());
            roots.forEach(root -> array.add(render(root, depth, new HashSet<>())));
            return array;
        }

        /** @param around ids of the objects it is a part of */
        private BsonDocument render(StoredObject object, int depth, Set<String> around) {
            around.add(object.ref().id());
            BsonDocument rendered = replaced(object, id -> part(id, depth, around));
            around.remove(object.ref().id());
            return rendered;
        }

        private BsonValue part(BsonValue id, int depth, Set<String> around) {
            return Optional.ofNullable(known.get(id.asString().getValue()))
                    .filter(object -> depth > 0 && !around.contains(object.ref().id()))
                    .filter(object -> placeable.takes(bytes(object)))
                    .<BsonValue>map(object -> render(object, depth - 1, around))
                    .orElse(id);
        }

        private int bytes(StoredObject object) {
            return codec.toJson(object).length();
        }

        private BsonDocument replaced(StoredObject object, UnaryOperator<BsonValue> replacement) {
            return referenceReplacer.replaced(
                    codec.schema().get(object.ref().bucket()), codec.encode(object), replacement);
        }
    }

    /**
     * How many objects of how many bytes are still to come; spent by the first that does not fit.
     */
    private static final class Budget {

        private int asked;
        private int objects = MOST;
        private long bytes = MOST_BYTES;

        private boolean takes(long size) {
            objects--;
            bytes -= size;
            return !isSpent();
        }

        /** How many to ask for, if the others are as large as those before. */
        private int atOnce() {
            long mean = Math.max(1, (MOST_BYTES - bytes) / Math.max(1, asked));
            return asked == 0 ? FEW : (int) Math.max(1, Math.min(MANY, bytes / mean));
        }

        private boolean isSpent() {
            return objects < 0 || bytes < 0;
        }
    }
}
