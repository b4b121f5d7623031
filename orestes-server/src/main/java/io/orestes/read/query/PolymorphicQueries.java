package io.orestes.read.query;

import io.invalidb.query.sort.SortOrder;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.Principal;
import io.orestes.model.ReadLevel;
import io.orestes.model.StoredObject;
import io.orestes.read.response.ConsistencyDefaults;
import io.orestes.schema.SchemaRegistry;
import io.orestes.schema.model.ClassOperation;
import io.orestes.schema.model.ClassSchema;
import io.orestes.schema.model.Schema;
import io.orestes.store.ObjectStore;
import io.orestes.store.StoreQuery;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.Function;

/**
 * The executor of queries on a class and all its subclasses, which merges the results of each
 * class. It reads from each class as many objects as the response may need, without caches, live
 * queries or indexes across classes.
 */
final class PolymorphicQueries {

    /**
     * Maximum number of objects that a query may read from the whole result: start and count
     * together.
     */
    private static final int MAX_OBJECTS_READ = 10_000;

    private final SchemaRegistry schemas;
    private final ObjectStore store;
    private final ConsistencyDefaults consistency;
    private final Parser parser;

    PolymorphicQueries(SchemaRegistry schemas, ObjectStore store, ConsistencyDefaults consistency, Parser parser) {
        this.schemas = schemas;
        this.store = store;
        this.consistency = consistency;
        this.parser = parser;
    }

    /**
     * Applies a function to the matching objects that the caller may read, in order; ties are
     * ordered by id.
     */
    <T> Future<T> select(
            Principal principal, QueryRequest request, ReadLevel level, Function<List<StoredObject>, Future<T>> use) {
        List<StoreQuery> queries = queries(principal, request);
        StoreQuery first = queries.get(0);
        long end = first.skip() + first.limit();
        if (end > MAX_OBJECTS_READ) {
            throw new ApiException(
                    ErrorCode.QUERY_NOT_SUPPORTED,
                    "A polymorphic query reads at most " + MAX_OBJECTS_READ + " objects");
        }
        List<StoreQuery> heads = queries.stream()
                .map(query -> head(query, (int) end).withLevel(consistency.level(query.bucket(), level)))
                .toList();
        return store.query(heads, results -> use.apply(merged(results, first)));
    }

    /** Returns the number of matching objects that the caller may read. */
    Future<Long> count(Principal principal, QueryRequest request, ReadLevel level) {
        List<Future<Long>> counts = queries(principal, request).stream()
                .map(query -> store.count(query.bucket(), query.filter(), consistency.level(query.bucket(), level)))
                .toList();
        return Future.join(counts)
                .map(done -> counts.stream().mapToLong(Future::result).sum());
    }

    /**
     * Returns one query for each class. Fails with {@code PERMISSION_DENIED} if one of them may not
     * be queried, rather than omit it.
     */
    private List<StoreQuery> queries(Principal principal, QueryRequest request) {
        Schema schema = schemas.current();
        String ancestor = schema.entity(request.bucket()).name();
        return schema.classes().stream()
                .filter(type -> !type.embedded() && schema.isA(type.name(), ancestor))
                .map(type -> {
                    type.require(ClassOperation.QUERY, principal);
                    return parser.parse(principal, type, request.on(type.name()));
                })
                .toList();
    }

    private static StoreQuery head(StoreQuery query, int end) {
        return new StoreQuery(query.bucket(), query.filter(), query.sort(), 0, end).bounded();
    }

    private static List<StoredObject> merged(List<List<StoredObject>> results, StoreQuery asked) {
        SortOrder order = asked.sort();
        return results.stream()
                .flatMap(List::stream)
                .sorted((one, other) -> order.compare(one.document(), other.document()))
                .skip(asked.skip())
                .limit(asked.limit())
                .toList();
    }

    /** Parses the query for one class. */
    interface Parser {

        StoreQuery parse(Principal principal, ClassSchema type, QueryRequest request);
    }
}
