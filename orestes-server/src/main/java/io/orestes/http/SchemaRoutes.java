package io.orestes.http;

import io.orestes.caching.Caches;
import io.orestes.json.JsonWriter;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.Principal;
import io.orestes.schema.ClassOperation;
import io.orestes.schema.ClassSchema;
import io.orestes.schema.Descriptors;
import io.orestes.schema.Schema;
import io.orestes.schema.SchemaRegistry;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;

/** {@code /schema}: reading and changing classes (protocol §7.3), and which migrations were carried out. A change is answered when no cache of ours goes by the old schema. */
final class SchemaRoutes {

    private final Caller caller;
    private final SchemaRegistry schemas;
    private final Caches caches;

    SchemaRoutes(Caller caller, SchemaRegistry schemas, Caches caches) {
        this.caller = caller;
        this.schemas = schemas;
        this.caches = caches;
    }

    void mount(Routes routes) {
        routes.get("/schema", caller.known((ctx, principal) -> Future.succeededFuture(all(schemas.current()))))
                .post("/schema", caller.known(this::merge))
                .put("/schema", caller.admin(this::replaceAll))
                .get("/schema/:bucket", caller.known(this::one))
                .post("/schema/:bucket", caller.known(this::mergeOne))
                .put("/schema/:bucket", caller.known(this::replaceOne))
                .delete("/schema/:bucket", caller.admin(this::delete))
                .get("/-/migrations", caller.admin((ctx, admin) -> Future.succeededFuture(migrations())));
    }

    private Reply migrations() {
        BsonArray applied =
                new BsonArray(schemas.migrations().stream().map(BsonString::new).toList());
        return Reply.json(200, JsonWriter.write(new BsonDocument("applied", applied)));
    }

    private Future<Reply> merge(RoutingContext ctx, Principal principal) {
        return settled(all -> true, () -> schemas.merge(Bodies.json(ctx), principal))
                .map(SchemaRoutes::all);
    }

    private Future<Reply> replaceAll(RoutingContext ctx, Principal admin) {
        return settled(all -> true, () -> schemas.replaceAll(Bodies.json(ctx), admin))
                .map(SchemaRoutes::all);
    }

    private Future<Reply> one(RoutingContext ctx, Principal principal) {
        return Future.succeededFuture(one(schemas.current(), ObjectPaths.bucket(ctx.request())));
    }

    private Future<Reply> mergeOne(RoutingContext ctx, Principal principal) {
        String bucket = ObjectPaths.bucket(ctx.request());
        return settled(bucket::equals, () -> schemas.mergeClass(bucket, Bodies.object(ctx), principal))
                .map(schema -> one(schema, bucket));
    }

    private Future<Reply> replaceOne(RoutingContext ctx, Principal principal) {
        String bucket = ObjectPaths.bucket(ctx.request());
        return settled(bucket::equals, () -> schemas.replaceClass(bucket, Bodies.object(ctx), principal))
                .map(schema -> one(schema, bucket));
    }

    private Future<Reply> delete(RoutingContext ctx, Principal admin) {
        String bucket = ObjectPaths.bucket(ctx.request());
        return settled(bucket::equals, () -> schemas.delete(bucket, admin)).map(schema -> Reply.empty(204));
    }

    /** A change that hides objects succeeds only if no shared cache goes on to serve them; so do later ones of the same classes. */
    private Future<Schema> settled(Predicate<String> isConcerned, Supplier<Future<Schema>> change) {
        Schema before = schemas.current();
        return change.get().compose(after -> settled(hidden(before, after, isConcerned), after));
    }

    private Future<Schema> settled(List<String> hidden, Schema after) {
        return hidden.isEmpty()
                ? caches.settled().map(after)
                : caches.hidden(hidden).compose(all -> all ? Future.succeededFuture(after) : stillServed());
    }

    /** Paths of classes that are less public than before, or than when that was last confirmed. */
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
                "The schema is changed, but a shared cache has not confirmed that it forgot what is not public any more;"
                        + " it may serve that until it does. Make the same change again to find out"));
    }

    private static Reply all(Schema schema) {
        return Reply.json(200, JsonWriter.write(schema.descriptors()));
    }

    private static Reply one(Schema schema, String bucket) {
        return Reply.json(200, JsonWriter.write(Descriptors.print(schema.get(bucket))));
    }
}
