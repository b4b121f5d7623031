package io.orestes.read.query;

import io.invalidb.query.filter.Filter;
import io.invalidb.query.sort.SortOrder;
import io.orestes.json.JsonReader;
import io.orestes.json.JsonWriter;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.model.ReadLevel;
import io.orestes.model.StoredObject;
import io.orestes.read.translation.ParameterizedFilter;
import io.orestes.schema.SchemaRegistry;
import io.orestes.schema.model.ClassSchema;
import io.orestes.schema.model.Schema;
import io.orestes.store.ObjectStore;
import io.orestes.store.StoreQuery;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonString;

/**
 * The repository of parameterized queries in the store, shared by all servers on it. The protocol
 * calls them prepared queries. Admins prepare the
 * queries. The queries are in the store only, so that all servers have the same ones. The key of a
 * disposed query remains reserved.
 */
public final class ParameterizedQueryRepository {

    private static final String BUCKET = "_queries";
    private static final String DEFINITION = "definition";
    private static final String IS_DISPOSED = "isDisposed";
    private static final int MAX_DEFINITION_LENGTH = 100_000;
    private static final Filter LIVING =
            Filter.parse(new BsonDocument(DEFINITION, new BsonDocument("$exists", BsonBoolean.TRUE)));

    private final ObjectStore store;
    private final SchemaRegistry schemas;
    private final QueryParser parsing;
    private final QueryConfig config;

    public ParameterizedQueryRepository(
            ObjectStore store, SchemaRegistry schemas, QueryParser parsing, QueryConfig config) {
        this.store = store;
        this.schemas = schemas;
        this.parsing = parsing;
        this.config = config;
    }

    /**
     * Stores a prepared query.
     *
     * @param definition its {@code bucket}, {@code query}, {@code sort} and {@code parameters}
     * @return fails with {@code BUCKET_NOT_FOUND}, {@code BAD_REQUEST}, {@code SYNTAX_ERROR} or
     *     {@code QUERY_NOT_SUPPORTED} if no values yield a valid query, with {@code
     *     TOO_MANY_REQUESTS} if the maximum number is reached
     */
    public Future<ParameterizedQuery> create(BsonDocument definition) {
        String key = UUID.randomUUID().toString();
        ParameterizedQuery prepared = ParameterizedQuery.parse("/query/" + key, definition);
        String text = JsonWriter.print(prepared.toBson());
        requireRunnable(prepared, text);
        return store.count(BUCKET, LIVING)
                .compose(count -> count >= config.maxPrepared() ? refuse() : store.insert(ref(key), stored(text)))
                .map(prepared);
    }

    private static BsonDocument stored(String text) {
        return new BsonDocument(DEFINITION, new BsonString(text));
    }

    private void requireRunnable(ParameterizedQuery prepared, String text) {
        if (text.length() > MAX_DEFINITION_LENGTH) {
            throw new ApiException(
                    ErrorCode.PAYLOAD_TOO_LARGE,
                    "A prepared query has at most " + MAX_DEFINITION_LENGTH + " characters");
        }
        ClassSchema schema = schemas.current().entity(prepared.bucket());
        ParameterizedFilter template = template(prepared);
        template.requireClasses(schemas.current());
        Filter unusedFilter = parsing.filter(schema, template.sample());
        SortOrder unusedSort = parsing.sort(schema, prepared.sort());
    }

    private Future<StoredObject> refuse() {
        return Future.failedFuture(new ApiException(
                ErrorCode.TOO_MANY_REQUESTS, "There are " + config.maxPrepared() + " prepared queries already"));
    }

    /** Returns all prepared queries, ordered by id. */
    public Future<List<ParameterizedQuery>> list() {
        return store.query(StoreQuery.all(BUCKET, LIVING))
                .map(all -> all.stream().map(ParameterizedQueryRepository::read).toList());
    }

    /**
     * Returns a prepared query. Fails with {@code OBJECT_NOT_FOUND} if there never was such a
     * query, with {@code QUERY_DISPOSED} if it was deleted.
     */
    public Future<ParameterizedQuery> find(String key, ReadLevel level) {
        return Optional.of(key)
                .filter(ObjectRef::isKey)
                .map(known -> store.find(ref(known), level))
                .orElseGet(() -> Future.succeededFuture(Optional.empty()))
                .map(found -> found.orElseThrow(
                        () -> new ApiException(ErrorCode.OBJECT_NOT_FOUND, "There is no prepared query " + key)))
                .map(stored -> requireUndisposed(key, stored));
    }

    private static ParameterizedQuery requireUndisposed(String key, StoredObject stored) {
        if (!stored.document().containsKey(DEFINITION)) {
            throw new ApiException(ErrorCode.QUERY_DISPOSED, "The prepared query " + key + " was deleted");
        }
        return read(stored);
    }

    /** Deletes a prepared query; fails as {@link #find} does. */
    public Future<Void> dispose(String key) {
        return find(key, ReadLevel.LINEARIZABLE)
                .compose(found -> store.replace(
                        ref(key),
                        new BsonDocument(IS_DISPOSED, BsonBoolean.TRUE),
                        Precondition.none(),
                        Principal.SERVER))
                .mapEmpty();
    }

    /**
     * Returns the ordinary query for certain values; fails with {@code BAD_REQUEST} if one is
     * missing or not of its type.
     *
     * @param texts the values as spelled in a URL, by name
     */
    public QueryRequest request(
            ParameterizedQuery prepared, Function<String, Optional<String>> texts, int start, int count) {
        return new QueryRequest(
                prepared.bucket(), template(prepared).fill(texts), prepared.sort(), start, count, ResultForm.OBJECTS);
    }

    private ParameterizedFilter template(ParameterizedQuery prepared) {
        Schema schema = schemas.current();
        return ParameterizedFilter.parse(prepared.query(), prepared.parameters(), schema);
    }

    private static ParameterizedQuery read(StoredObject stored) {
        String text = stored.document().getString(DEFINITION).getValue();
        return ParameterizedQuery.parse(
                "/query/" + stored.ref().key(), JsonReader.read(text).asDocument());
    }

    private static ObjectRef ref(String key) {
        return new ObjectRef(BUCKET, key);
    }
}
