package io.orestes.http;

import io.orestes.json.JsonWriter;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
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
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;

/** {@code /db} and {@code /db/:bucket} as a whole: names of classes, ids, export, import, truncate (protocol §8.6). */
final class BulkRoutes {

    /** Objects of one import that are under way at a time. */
    private static final int PAGE = 200;

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
        String bucket = bucket(ctx);
        BsonValue body = Bodies.json(ctx);
        if (!body.isArray()) {
            throw new ApiException(ErrorCode.BAD_REQUEST, "An import is a JSON array of objects");
        }
        BsonArray failures = new BsonArray();
        return importFrom(bucket, body.asArray(), 0, failures).map(done -> Reply.json(200, JsonWriter.write(failures)));
    }

    private Future<Void> importFrom(String bucket, BsonArray objects, int from, BsonArray failures) {
        if (from >= objects.size()) {
            return Future.succeededFuture();
        }
        int to = Math.min(from + PAGE, objects.size());
        List<Future<?>> page = new ArrayList<>(PAGE);
        objects.subList(from, to).forEach(object -> page.add(importOne(bucket, object, failures)));
        return Future.join(page).compose(done -> importFrom(bucket, objects, to, failures));
    }

    private Future<?> importOne(String bucket, BsonValue object, BsonArray failures) {
        return Future.succeededFuture()
                .compose(start -> put(bucket, object))
                .onFailure(failure -> failures.add(describe(object, ApiException.of(failure))))
                .otherwiseEmpty();
    }

    private Future<StoredObject> put(String bucket, BsonValue object) {
        if (!object.isDocument()) {
            throw new ApiException(ErrorCode.BAD_REQUEST, "Not an object");
        }
        ObjectRef ref = WritePipeline.idIn(object.asDocument(), bucket)
                .orElseThrow(() -> new ApiException(ErrorCode.BAD_REQUEST, "An imported object needs an id"));
        return writes.put(ref, object.asDocument());
    }

    private static BsonDocument describe(BsonValue object, ApiException failure) {
        BsonValue id = object.isDocument() ? object.asDocument().get("id", BsonNull.VALUE) : BsonNull.VALUE;
        return new BsonDocument("id", id).append("error", new BsonString(failure.message()));
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
