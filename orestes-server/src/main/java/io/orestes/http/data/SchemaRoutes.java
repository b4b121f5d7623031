package io.orestes.http.data;

import io.orestes.http.body.RequestBodyParser;
import io.orestes.http.caller.RequestAuthenticator;
import io.orestes.http.protocol.ApiResponse;
import io.orestes.http.protocol.ApiRouter;
import io.orestes.http.protocol.ObjectPathParser;
import io.orestes.json.JsonWriter;
import io.orestes.model.Principal;
import io.orestes.schema.SchemaRegistry;
import io.orestes.schema.model.ClassDescriptorCodec;
import io.orestes.schema.model.Schema;
import io.orestes.write.ClassPrivatizationPurge;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
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
    private final ClassPrivatizationPurge classPrivatizationPurge;

    public SchemaRoutes(
            RequestAuthenticator requestAuthenticator,
            SchemaRegistry schemas,
            ClassPrivatizationPurge classPrivatizationPurge) {
        this.requestAuthenticator = requestAuthenticator;
        this.schemas = schemas;
        this.classPrivatizationPurge = classPrivatizationPurge;
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
        return classPrivatizationPurge
                .changeAll(() -> schemas.merge(RequestBodyParser.json(ctx), principal))
                .map(SchemaRoutes::all);
    }

    private Future<ApiResponse> replaceAll(RoutingContext ctx, Principal admin) {
        return classPrivatizationPurge
                .changeAll(() -> schemas.replaceAll(RequestBodyParser.json(ctx), admin))
                .map(SchemaRoutes::all);
    }

    private Future<ApiResponse> one(RoutingContext ctx, Principal principal) {
        return Future.succeededFuture(one(schemas.current(), ObjectPathParser.bucket(ctx.request())));
    }

    private Future<ApiResponse> mergeOne(RoutingContext ctx, Principal principal) {
        String bucket = ObjectPathParser.bucket(ctx.request());
        return classPrivatizationPurge
                .changeClass(bucket, () -> schemas.mergeClass(bucket, RequestBodyParser.object(ctx), principal))
                .map(schema -> one(schema, bucket));
    }

    private Future<ApiResponse> replaceOne(RoutingContext ctx, Principal principal) {
        String bucket = ObjectPathParser.bucket(ctx.request());
        return classPrivatizationPurge
                .changeClass(bucket, () -> schemas.replaceClass(bucket, RequestBodyParser.object(ctx), principal))
                .map(schema -> one(schema, bucket));
    }

    private Future<ApiResponse> delete(RoutingContext ctx, Principal admin) {
        String bucket = ObjectPathParser.bucket(ctx.request());
        return classPrivatizationPurge
                .changeClass(bucket, () -> schemas.delete(bucket, admin))
                .map(schema -> ApiResponse.empty(204));
    }

    private static ApiResponse all(Schema schema) {
        return ApiResponse.json(200, JsonWriter.write(schema.descriptors()));
    }

    private static ApiResponse one(Schema schema, String bucket) {
        return ApiResponse.json(200, JsonWriter.write(ClassDescriptorCodec.print(schema.get(bucket))));
    }
}
