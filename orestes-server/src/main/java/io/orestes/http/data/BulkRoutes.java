package io.orestes.http.data;

import io.orestes.http.body.RequestBodyParser;
import io.orestes.http.caller.RequestAuthenticator;
import io.orestes.http.protocol.ApiResponse;
import io.orestes.http.protocol.ApiRouter;
import io.orestes.http.protocol.ObjectPathParser;
import io.orestes.json.JsonWriter;
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
import io.orestes.read.object.BucketScanner;
import io.orestes.read.response.JsonRenderer;
import io.orestes.schema.SchemaRegistry;
import io.orestes.schema.model.ClassSchema;
import io.orestes.wire.QueryParameters;
import io.orestes.write.WritePipeline;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.function.Function;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;

/**
 * {@code /db} and {@code /db/:bucket} as a whole: names of classes, ids, many writes, export,
 * import, truncate (protocol §8.6).
 */
public final class BulkRoutes {

    private final RequestAuthenticator requestAuthenticator;
    private final SchemaRegistry schemas;
    private final BucketScanner bucketScanner;
    private final WritePipeline writes;
    private final JsonRenderer jsonRenderer;

    public BulkRoutes(
            RequestAuthenticator requestAuthenticator,
            SchemaRegistry schemas,
            BucketScanner bucketScanner,
            WritePipeline writes,
            JsonRenderer jsonRenderer) {
        this.requestAuthenticator = requestAuthenticator;
        this.schemas = schemas;
        this.bucketScanner = bucketScanner;
        this.writes = writes;
        this.jsonRenderer = jsonRenderer;
    }

    public void mount(ApiRouter apiRouter) {
        apiRouter
                .get("/db", requestAuthenticator.authenticated((ctx, principal) -> Future.succeededFuture(classes())))
                .streamedGet("/db/:bucket/ids", requestAuthenticator.admin(this::ids))
                .post("/db/:bucket/bulk", requestAuthenticator.authenticated(this::writeAll))
                .streamedGet("/db/:bucket", requestAuthenticator.admin(this::export))
                .streamedPut("/db/:bucket", requestAuthenticator.streamingAdmin(this::importAll))
                .delete("/db/:bucket", requestAuthenticator.admin(this::truncate));
    }

    private ApiResponse classes() {
        BsonArray ids = new BsonArray();
        schemas.current().classes().stream()
                .filter(schema -> !schema.embedded())
                .map(ClassSchema::ref)
                .forEach(ref -> ids.add(new BsonString(ref)));
        return ApiResponse.json(200, JsonWriter.write(ids));
    }

    private Future<Void> ids(RoutingContext ctx, Principal admin) {
        String bucket = bucket(ctx);
        ResultSlicer wanted = new ResultSlicer(
                QueryParameters.number(ctx, "start", 0, 0), QueryParameters.number(ctx, "count", -1, -1));
        return streamed(ctx, bucket, page -> jsonRenderer.ids(wanted.of(page)));
    }

    private Future<Void> export(RoutingContext ctx, Principal admin) {
        return streamed(ctx, bucket(ctx), jsonRenderer::array);
    }

    private Future<Void> streamed(RoutingContext ctx, String bucket, Function<List<StoredObject>, Buffer> text) {
        if (HttpMethod.HEAD.equals(ctx.request().method())) {
            return JsonArrayStream.head(ctx.response());
        }
        return JsonArrayStream.write(
                ctx.response(), array -> bucketScanner.forEachPage(bucket, page -> array.append(text.apply(page))));
    }

    private Future<Void> importAll(RoutingContext ctx, Principal admin) {
        return new ImportJob(ctx.vertx(), writes, bucket(ctx), WriteConditions.of(ctx.request()))
                .run(RequestBodyParser.file(ctx), ctx.response());
    }

    private Future<ApiResponse> writeAll(RoutingContext ctx, Principal principal) {
        return new BulkWrites(writes, principal, bucket(ctx))
                .run(RequestBodyParser.object(ctx))
                .map(results -> ApiResponse.json(200, JsonWriter.write(results)));
    }

    private Future<ApiResponse> truncate(RoutingContext ctx, Principal admin) {
        return writes.truncate(bucket(ctx))
                .map(count -> ApiResponse.json(200, JsonWriter.write(new BsonDocument("count", new BsonInt32(count)))));
    }

    /** Returns the class, which must exist. */
    private String bucket(RoutingContext ctx) {
        String bucket = ObjectPathParser.bucket(ctx.request());
        return schemas.current().entity(bucket).name();
    }
}
