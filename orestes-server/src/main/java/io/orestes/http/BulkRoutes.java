package io.orestes.http;

import io.orestes.json.JsonWriter;
import io.orestes.model.Principal;
import io.orestes.read.BulkReader;
import io.orestes.read.Rendering;
import io.orestes.schema.ClassSchema;
import io.orestes.schema.SchemaRegistry;
import io.orestes.wire.Parameters;
import io.orestes.write.WritePipeline;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
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
        routes
                .get("/db", caller.known((ctx, principal) -> Future.succeededFuture(classes())))
                .get("/db/:bucket/ids", caller.admin(this::ids))
                .post("/db/:bucket/bulk", caller.known(this::writeAll))
                .stream("/db/:bucket", caller.admin(this::export))
                .put("/db/:bucket", caller.admin(this::importAll))
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

    private Future<Reply> ids(RoutingContext ctx, Principal admin) {
        String bucket = bucket(ctx);
        int start = Parameters.number(ctx, "start", 0, 0);
        int count = Parameters.number(ctx, "count", -1, -1);
        BsonArray ids = new BsonArray();
        return objects.eachPage(bucket, page -> {
                    page.forEach(object -> ids.add(new BsonString(object.ref().id())));
                    return Future.succeededFuture();
                })
                .map(done -> slice(ids, start, count))
                .map(wanted -> Reply.json(200, JsonWriter.write(wanted)));
    }

    private static BsonArray slice(BsonArray ids, int start, int count) {
        int from = Math.min(start, ids.size());
        int to = count < 0 ? ids.size() : (int) Math.min((long) from + count, ids.size());
        return new BsonArray(ids.subList(from, to));
    }

    private Future<Void> export(RoutingContext ctx, Principal admin) {
        String bucket = bucket(ctx);
        HttpServerResponse response = ctx.response().setChunked(true);
        response.putHeader(HttpHeaders.CONTENT_TYPE, Reply.JSON)
                .putHeader(HttpHeaders.CACHE_CONTROL, Reply.NO_STORE)
                .putHeader(Reply.ORESTES_CACHE, Reply.BYPASS);
        return response.write("[").compose(open -> writePages(bucket, response)).compose(all -> response.end("]"));
    }

    private Future<Void> writePages(String bucket, HttpServerResponse response) {
        boolean[] first = {true};
        return objects.eachPage(bucket, page -> {
            String separator = first[0] ? "" : ",";
            first[0] = false;
            Buffer array = rendering.array(page);
            Buffer members = array.slice(1, array.length() - 1);
            return response.write(Buffer.buffer(separator).appendBuffer(members));
        });
    }

    private Future<Reply> importAll(RoutingContext ctx, Principal admin) {
        Bodies.requireType(ctx, "application/json");
        return new ImportRun(ctx.vertx(), writes, bucket(ctx))
                .read(Bodies.buffer(ctx))
                .map(failures -> Reply.json(200, JsonWriter.write(failures)));
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
