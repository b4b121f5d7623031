package io.orestes.read.object;

import io.invalidb.query.filter.Filter;
import io.invalidb.query.value.HeapSize;
import io.orestes.async.Bulkhead;
import io.orestes.auth.rights.AccessControl;
import io.orestes.json.JsonWriter;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Principal;
import io.orestes.model.ReadLevel;
import io.orestes.model.StoredObject;
import io.orestes.read.query.QueryReader;
import io.orestes.read.query.QueryRequest;
import io.orestes.read.response.ConsistencyDefaults;
import io.orestes.read.response.ReaderDependencies;
import io.orestes.schema.SchemaRegistry;
import io.orestes.schema.codec.ObjectCodec;
import io.orestes.schema.model.ClassOperation;
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
 * stays if its object contains the referring one already, or if the maximum number of objects is
 * reached. The response is private to the caller, since caches cannot detect when it becomes stale.
 */
public final class ReferenceExpander {

    /**
     * Maximum number of objects that replace references in one response, and of objects loaded for
     * it.
     */
    private static final int MAX_OBJECTS = 1_000;

    /** Maximum bytes of these objects: as JSON in the response, as heap for those loaded. */
    private static final int MAX_BYTES = 8 << 20;

    /** Number of objects in the first request, while their size is unknown. */
    private static final int INITIAL_BATCH_SIZE = 50;

    private static final int MAX_BATCH_SIZE = 200;

    private static final int MAX_QUEUED = 1_000;

    private static final Duration QUEUE_TIMEOUT = Duration.ofSeconds(5);

    private final SchemaRegistry schemas;
    private final ObjectStore store;
    private final QueryReader queries;
    private final ConsistencyDefaults consistency;
    private final int maxDepth;
    private final Bulkhead turns;

    /** @param maxDepth maximum number of references in a row that are followed */
    public ReferenceExpander(Vertx vertx, ReaderDependencies context, QueryReader queries, int maxDepth) {
        this.schemas = context.schemas();
        this.store = context.store();
        this.queries = queries;
        this.consistency = context.consistency();
        this.maxDepth = maxDepth;
        this.turns = new Bulkhead(
                vertx,
                maxConcurrent(Runtime.getRuntime().maxMemory()),
                new Bulkhead.QueueLimits(MAX_QUEUED, QUEUE_TIMEOUT, ReferenceExpander::tooMany));
    }

    /**
     * Returns the number of concurrent expansions: those whose objects take half of the result
     * budget. More would block each other.
     */
    static int maxConcurrent(long heap) {
        return (int) Math.max(1, heap / 16 / MAX_BYTES);
    }

    /**
     * Returns the depth that the caller gets: a number, or {@code true} for the maximum; fails with
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
     * Loads an object; fails as {@link ObjectReader#load} does, and with {@code UNAVAILABLE} if too
     * many requests with depth wait.
     */
    public Future<Buffer> load(Principal principal, ObjectRef ref, int depth, ReadLevel level) {
        schemas.current().entity(ref.bucket()).require(ClassOperation.LOAD, principal);
        return runInBulkhead(depth, () -> store.find(ref, consistency.level(ref.bucket(), level))
                .map(found -> found.flatMap(object -> AccessControl.readable(principal, object))
                        .orElseThrow(() -> missing(ref)))
                .compose(root -> expanded(principal, List.of(root), depth, level))
                .map(array -> JsonWriter.write(array.get(0))));
    }

    /** Runs a query; fails as {@link QueryReader#query} does, and as {@link #load} does. */
    public Future<Buffer> query(Principal principal, QueryRequest request, int depth, ReadLevel level) {
        return runInBulkhead(depth, () -> queries.select(
                        principal, request, level, roots -> expanded(principal, roots, depth, level))
                .map(JsonWriter::write));
    }

    /** Queues the work, unless depth 0 loads nothing more: then it runs without waiting. */
    private <T> Future<T> runInBulkhead(int depth, Supplier<Future<T>> work) {
        return depth == 0 ? work.get() : turns.run(work);
    }

    private static ApiException tooMany() {
        return new ApiException(ErrorCode.UNAVAILABLE, "Too many requests with depth at once; try again in a moment")
                .withRetryAfter(Duration.ofSeconds(1));
    }

    private Future<BsonArray> expanded(Principal principal, List<StoredObject> roots, int depth, ReadLevel level) {
        Expansion expansion = new Expansion(principal, schemas.codec(), level);
        return expansion.load(roots, depth, () -> Future.succeededFuture(expansion.render(roots, depth)));
    }

    private static Filter anyOf(BsonArray ids) {
        return Filter.parse(new BsonDocument(StoredObject.ID, new BsonDocument("$in", ids)));
    }

    /** Returns whether objects exceed the budget, of which half may be a result. */
    private static boolean isTooMuch(Throwable failure) {
        return failure instanceof ApiException refusal && refusal.code() == ErrorCode.QUERY_NOT_SUPPORTED;
    }

    private static ApiException missing(ObjectRef ref) {
        return new ApiException(ErrorCode.OBJECT_NOT_FOUND, "There is no object " + ref.id());
    }

    /** One expansion, under one schema. */
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

        /**
         * Loads the objects level by level, each in parts. All count as results until {@code then}
         * completes.
         */
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

        /** Returns the referenced object if it is to be loaded and was not visited before. */
        private Optional<ObjectRef> follow(String id) {
            return asked.size() < MAX_OBJECTS && asked.add(id) && !known.containsKey(id)
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

        /** Returns one query for each class. */
        private List<StoreQuery> queries(List<ObjectRef> refs) {
            Map<String, BsonArray> ids = new LinkedHashMap<>();
            refs.forEach(ref ->
                    ids.computeIfAbsent(ref.bucket(), bucket -> new BsonArray()).add(new BsonString(ref.id())));
            return ids.entrySet().stream()
                    .map(each -> StoreQuery.all(each.getKey(), anyOf(each.getValue()))
                            .bounded()
                            .withLevel(consistency.level(each.getKey(), level)))
                    .toList();
        }

        /** Adds the results in the order of the references. */
        private void take(List<ObjectRef> part, List<List<StoredObject>> results, List<StoredObject> found) {
            Map<ObjectRef, StoredObject> there =
                    results.stream().flatMap(List::stream).collect(Collectors.toMap(StoredObject::ref, it -> it));
            loadable.asked += part.size();
            part.forEach(ref -> Optional.ofNullable(there.get(ref))
                    .flatMap(object -> AccessControl.readable(principal, object))
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

        /** @param around ids of the objects that contain it */
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
     * The remaining number of objects and bytes; exhausted by the first object that does not fit.
     */
    private static final class Budget {

        private int asked;
        private int objects = MAX_OBJECTS;
        private long bytes = MAX_BYTES;

        private boolean takes(long size) {
            objects--;
            bytes -= size;
            return !isSpent();
        }

        /**
         * Returns the number of objects to request, if the next ones are as large as those before.
         */
        private int atOnce() {
            long mean = Math.max(1, (MAX_BYTES - bytes) / Math.max(1, asked));
            return asked == 0 ? INITIAL_BATCH_SIZE : (int) Math.max(1, Math.min(MAX_BATCH_SIZE, bytes / mean));
        }

        private boolean isSpent() {
            return objects < 0 || bytes < 0;
        }
    }
}
