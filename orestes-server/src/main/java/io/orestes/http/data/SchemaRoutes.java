package io.orestes.http.data;

import io.orestes.caching.Caches;
import io.orestes.http.body.RequestBodies;
import io.orestes.http.caller.RequestAuthenticator;
import io.orestes.http.protocol.ApiResponse;
import io.orestes.http.protocol.ApiRouter;
import io.orestes.http.protocol.ObjectPaths;
import io.orestes.json.JsonWriter;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.Principal;
import io.orestes.schema.SchemaRegistry;
import io.orestes.schema.model.ClassDescriptorCodec;
import io.orestes.schema.model.ClassOperation;
import io.orestes.schema.model.ClassSchema;
import io.orestes.schema.model.Schema;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;

/**
 * {@code /schema}: reading and changing classes (protocol §7.3), and the list of completed
 * migrations. A change is acknowledged when no cache of the servers uses the old schema.
 */
public final class SchemaRoutes {

    private final RequestAuthenticator requestAuthenticator;
    private final SchemaRegistry schemas;
    private final Caches caches;

    public SchemaRoutes(RequestAuthenticator requestAuthenticator, SchemaRegistry schemas, Caches caches) {
        this.requestAuthenticator = requestAuthenticator;
        this.schemas = schemas;
        this.caches = caches;
    }

    public void mount(ApiRouter apiRouter) {
        apiRouter
                .get(
                        "/schema",
                        requestAuthenticator.authenticated(
                                (ctx, principal) -> Future.succeededFuture(all(schemas.current()))))
                .post("/schema", requestAuthenticator.authenticated(this::merge))
                .put("/schema", requestAuthenticator.admin(this::replaceAll))
                .get("/schema/:bucket", requestAuthenticator.authenticated(this::one))
                .post("/schema/:bucket", requestAuthenticator.authenticated(this::mergeOne))
                .put("/schema/:bucket", requestAuthenticator.authenticated(this::replaceOne))
                .delete("/schema/:bucket", requestAuthenticator.admin(this::delete))
                .get("/-/migrations", requestAuthenticator.admin((ctx, admin) -> Future.succeededFuture(migrations())));
    }

    private ApiResponse migrations() {
        BsonArray applied =
                new BsonArray(schemas.migrations().stream().map(BsonString::new).toList());
        return ApiResponse.json(200, JsonWriter.write(new BsonDocument("applied", applied)));
    }

    private Future<ApiResponse> merge(RoutingContext ctx, Principal principal) {
        return confirmHidden(all -> true, () -> schemas.merge(RequestBodies.json(ctx), principal))
                .map(SchemaRoutes::all);
    }

    private Future<ApiResponse> replaceAll(RoutingContext ctx, Principal admin) {
        return confirmHidden(all -> true, () -> schemas.replaceAll(RequestBodies.json(ctx), admin))
                .map(SchemaRoutes::all);
    }

    private Future<ApiResponse> one(RoutingContext ctx, Principal principal) {
        return Future.succeededFuture(one(schemas.current(), ObjectPaths.bucket(ctx.request())));
    }

    private Future<ApiResponse> mergeOne(RoutingContext ctx, Principal principal) {
        String bucket = ObjectPaths.bucket(ctx.request());
        return confirmHidden(bucket::equals, () -> schemas.mergeClass(bucket, RequestBodies.object(ctx), principal))
                .map(schema -> one(schema, bucket));
    }

    private Future<ApiResponse> replaceOne(RoutingContext ctx, Principal principal) {
        String bucket = ObjectPaths.bucket(ctx.request());
        return confirmHidden(bucket::equals, () -> schemas.replaceClass(bucket, RequestBodies.object(ctx), principal))
                .map(schema -> one(schema, bucket));
    }

    private Future<ApiResponse> delete(RoutingContext ctx, Principal admin) {
        String bucket = ObjectPaths.bucket(ctx.request());
        return confirmHidden(bucket::equals, () -> schemas.delete(bucket, admin))
                .map(schema -> ApiResponse.empty(204));
    }

    /**
     * Changes the schema. A change that hides objects succeeds only after no shared cache serves
     * them; so do later changes of the same classes.
     */
    private Future<Schema> confirmHidden(Predicate<String> isConcerned, Supplier<Future<Schema>> change) {
        Schema before = schemas.current();
        return change.get().compose(after -> confirmHidden(hidden(before, after, isConcerned), after));
    }

    private Future<Schema> confirmHidden(List<String> hidden, Schema after) {
        return hidden.isEmpty()
                ? caches.awaitInvalidated().map(after)
                : caches.confirmVisibilityReduction(hidden)
                        .compose(all -> all ? Future.succeededFuture(after) : stillServed());
    }

    /**
     * Returns the paths of classes that are less public than before, or than at the last
     * confirmation.
     */
    private List<String> hidden(Schema before, Schema after, Predicate<String> isConcerned) {
        return after.classes().stream()
                .filter(now -> before.find(now.name())
                                .filter(known -> hides(known, now))
                                .isPresent()
                        || (isConcerned.test(now.name()) && isHidden(now) && caches.isUnconfirmed(path(now))))
                .map(SchemaRoutes::path)
                .toList();
    }

    private static boolean hides(ClassSchema before, ClassSchema after) {
        return hides(before, after, ClassOperation.LOAD) || hides(before, after, ClassOperation.QUERY);
    }

    private static boolean isHidden(ClassSchema schema) {
        return !schema.permission(ClassOperation.LOAD).isPublic()
                || !schema.permission(ClassOperation.QUERY).isPublic();
    }

    private static String path(ClassSchema schema) {
        return "/db/" + schema.name();
    }

    private static boolean hides(ClassSchema before, ClassSchema after, ClassOperation operation) {
        return before.permission(operation).isPublic()
                && !after.permission(operation).isPublic();
    }

    private static Future<Schema> stillServed() {
        return Future.failedFuture(new ApiException(
                ErrorCode.UNAVAILABLE,
                "The schema is changed, but a shared cache has not confirmed the purge of objects that are no longer"
                        + " public; it may serve them until it does. Make the same change again to check"));
    }

    private static ApiResponse all(Schema schema) {
        return ApiResponse.json(200, JsonWriter.write(schema.descriptors()));
    }

    private static ApiResponse one(Schema schema, String bucket) {
        return ApiResponse.json(200, JsonWriter.write(ClassDescriptorCodec.print(schema.get(bucket))));
    }
}
