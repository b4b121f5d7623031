package io.orestes.read;

import io.orestes.auth.AccessControl;
import io.orestes.json.JsonWriter;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
import io.orestes.schema.ClassOperation;
import io.orestes.schema.ObjectCodec;
import io.orestes.schema.SchemaRegistry;
import io.orestes.store.ObjectStore;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/**
 * Reads objects with what they refer to in the place of the references, down to some depth. What the caller may not load, what
 * does not exist, and what an object is itself part of stays a reference, and so does everything beyond a number of objects. For
 * the caller alone: no cache could know when such an answer becomes stale.
 */
public final class DepthReader {

    /** Objects in the place of references in one answer, and referenced objects that are loaded for it. */
    private static final int MOST = 1_000;

    /** What these may take as JSON. */
    private static final int MOST_BYTES = 8 << 20;

    private static final int AT_ONCE = 50;

    private final SchemaRegistry schemas;
    private final ObjectStore store;
    private final QueryReader queries;
    private final int maxDepth;

    /** @param maxDepth most references in a row that are followed */
    public DepthReader(SchemaRegistry schemas, ObjectStore store, QueryReader queries, int maxDepth) {
        this.schemas = schemas;
        this.store = store;
        this.queries = queries;
        this.maxDepth = maxDepth;
    }

    /** How deep the caller gets: a number, or {@code true} for as deep as is allowed; fails with {@code BAD_REQUEST}. */
    public int depth(String asked) {
        if (asked.equals("true")) {
            return maxDepth;
        }
        if (!asked.matches("\\d{1,9}")) {
            throw new ApiException(ErrorCode.BAD_REQUEST, "depth has to be a whole number or true: " + asked);
        }
        return Math.min(Integer.parseInt(asked), maxDepth);
    }

    /** An object; fails as {@link ObjectReader#load} does. */
    public Future<Buffer> load(Principal principal, ObjectRef ref, int depth) {
        schemas.current().entity(ref.bucket()).require(ClassOperation.LOAD, principal);
        return store.find(ref)
                .map(found -> AccessControl.readable(principal, found).orElseThrow(() -> missing(ref)))
                .compose(root -> expanded(principal, List.of(root), depth))
                .map(array -> JsonWriter.write(array.get(0)));
    }

    /** The result of a query; fails as {@link QueryReader#query} does. */
    public Future<Buffer> query(Principal principal, QueryRequest request, int depth) {
        return queries.select(principal, request)
                .compose(roots -> expanded(principal, roots, depth))
                .map(JsonWriter::write);
    }

    private Future<BsonArray> expanded(Principal principal, List<StoredObject> roots, int depth) {
        Expansion expansion = new Expansion(principal, schemas.codec());
        return expansion.load(roots, depth).map(loaded -> expansion.render(roots, depth));
    }

    private static ApiException missing(ObjectRef ref) {
        return new ApiException(ErrorCode.OBJECT_NOT_FOUND, "There is no object " + ref.id());
    }

    /** One answer on its way, by one schema. */
    private final class Expansion {

        private final Principal principal;
        private final ObjectCodec codec;
        private final References references;
        private final Map<String, StoredObject> known = new HashMap<>();
        private final Set<String> asked = new HashSet<>();
        private final Budget loadable = new Budget();
        private final Budget placeable = new Budget();

        private Expansion(Principal principal, ObjectCodec codec) {
            this.principal = principal;
            this.codec = codec;
            this.references = new References(codec.schema());
        }

        /** Level by level, each in parts. */
        private Future<Void> load(List<StoredObject> level, int depth) {
            level.forEach(object -> known.put(object.ref().id(), object));
            List<ObjectRef> next = depth == 0 ? List.of() : referencesIn(level);
            List<StoredObject> found = new ArrayList<>();
            return next.isEmpty()
                    ? Future.succeededFuture()
                    : loadAll(next, found).compose(done -> load(found, depth - 1));
        }

        private List<ObjectRef> referencesIn(List<StoredObject> level) {
            List<ObjectRef> next = new ArrayList<>();
            for (StoredObject object : level) {
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

        private Future<Void> loadAll(List<ObjectRef> refs, List<StoredObject> found) {
            List<Future<Optional<StoredObject>>> part =
                    refs.stream().limit(AT_ONCE).map(store::find).toList();
            return Future.all(part).compose(done -> {
                part.forEach(object -> AccessControl.readable(principal, object.result())
                        .filter(readable -> loadable.takes(bytes(readable)))
                        .ifPresent(found::add));
                return refs.size() <= AT_ONCE || loadable.isSpent()
                        ? Future.succeededFuture()
                        : loadAll(refs.subList(AT_ONCE, refs.size()), found);
            });
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
            return references.replaced(codec.schema().get(object.ref().bucket()), codec.encode(object), replacement);
        }
    }

    /** How many objects of how many bytes are still to come; spent by the first that does not fit. */
    private static final class Budget {

        private int objects = MOST;
        private int bytes = MOST_BYTES;

        private boolean takes(int size) {
            objects--;
            bytes -= size;
            return !isSpent();
        }

        private boolean isSpent() {
            return objects < 0 || bytes < 0;
        }
    }
}
