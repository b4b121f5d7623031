package io.orestes.http;

import io.orestes.json.JsonWriter;
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
import io.orestes.read.BulkReader;
import io.orestes.read.Rendering;
import io.orestes.schema.ClassSchema;
import io.orestes.schema.SchemaRegistry;
import io.orestes.wire.Parameters;
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

/** {@code /db} and {@code /db/:bucket} as a whole: names of classes, ids, many writes, export, import, truncate (protocol §8.6). */
final class BulkRoutes {

    private final Caller caller;
    private final SchemaRegistry schemas;
    private final BulkReader objects;
    private final WritePipeline writes;
    private final Rendering rendering;

    BulkRoutes(Caller caller, SchemaRegistry schemas, BulkReader objects, WritePipeline writes, Rendering rendering) {
        this.caller = caller;
        this.schemas = schemas;
        this.objects = objects;
        this.writes = writes;
        this.rendering = rendering;
    }

    void mount(Routes routes) {
        routes.get("/db", caller.known((ctx, principal) -> Future.succeededFuture(classes())))
                .streamedGet("/db/:bucket/ids", caller.admin(this::ids))
                .post("/db/:bucket/bulk", caller.known(this::writeAll))
                .streamedGet("/db/:bucket", caller.admin(this::export))
                .streamedPut("/db/:bucket", caller.streamingAdmin(this::importAll))
                .delete("/db/:bucket", caller.admin(this::truncate));
    }

    private Reply classes() {
        BsonArray ids = new BsonArray();
        schemas.current().classes().stream()
                .filter(schema -> !schema.embedded())
                .map(ClassSchema::ref)
                .forEach(ref -> ids.add(new BsonString(ref)));
        return Reply.json(200, JsonWriter.write(ids));
    }

    private Future<Void> ids(RoutingContext ctx, Principal admin) {
        String bucket = bucket(ctx);
        Span wanted = new Span(Parameters.number(ctx, "start", 0, 0), Parameters.number(ctx, "count", -1, -1));
        return streamed(ctx, bucket, page -> rendering.ids(wanted.of(page)));
    }

    private Future<Void> export(RoutingContext ctx, Principal admin) {
        return streamed(ctx, bucket(ctx), rendering::array);
    }

    private Future<Void> streamed(RoutingContext ctx, String bucket, Function<List<StoredObject>, Buffer> text) {
        if (HttpMethod.HEAD.equals(ctx.request().method())) {
            return StreamedArray.head(ctx.response());
        }
        return StreamedArray.write(
                ctx.response(), array -> objects.eachPage(bucket, page -> array.append(text.apply(page))));
    }

    private Future<Void> importAll(RoutingContext ctx, Principal admin) {
        return new ImportRun(ctx.vertx(), writes, bucket(ctx), WriteConditions.of(ctx.request()))
                .run(Bodies.file(ctx), ctx.response());
    }

    private Future<Reply> writeAll(RoutingContext ctx, Principal principal) {
        return new BulkWrites(writes, principal, bucket(ctx))
                .run(Bodies.object(ctx))
                .map(results -> Reply.json(200, JsonWriter.write(results)));
    }

    private Future<Reply> truncate(RoutingContext ctx, Principal admin) {
        return writes.truncate(bucket(ctx))
                .map(count -> Reply.json(200, JsonWriter.write(new BsonDocument("count", new BsonInt32(count)))));
    }

    /** The class, which has to exist. */
    private String bucket(RoutingContext ctx) {
        String bucket = ObjectPaths.bucket(ctx.request());
        return schemas.current().entity(bucket).name();
    }
}
