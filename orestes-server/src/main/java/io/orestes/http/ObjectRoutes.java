package io.orestes.http;

import io.orestes.auth.SignedUrl;
import io.orestes.model.Principal;
import io.orestes.model.ReadLevel;
import io.orestes.model.StoredObject;
import io.orestes.read.DepthReader;
import io.orestes.read.ObjectReader;
import io.orestes.read.Rendered;
import io.orestes.read.Rendering;
import io.orestes.wire.Parameters;
import io.orestes.write.WritePipeline;
import io.orestes.write.Written;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;
import org.bson.BsonDocument;

/** {@code /db/:bucket} and {@code /db/:bucket/:oid}: single objects (protocol §8). */
final class ObjectRoutes {

    /** That a write changed no cached query result, and for how many seconds all of which copies live have been watched. */
    private static final CharSequence RESULTS_KEPT = HttpHeaders.createOptimized("Orestes-Results-Kept");

    private final Caller caller;
    private final ObjectReader objects;
    private final DepthReader deep;
    private final WritePipeline writes;
    private final Rendering rendering;
    private final CachedReplies replies;

    ObjectRoutes(
            Caller caller,
            ObjectReader objects,
            DepthReader deep,
            WritePipeline writes,
            Rendering rendering,
            CachedReplies replies) {
        this.caller = caller;
        this.objects = objects;
        this.deep = deep;
        this.writes = writes;
        this.rendering = rendering;
        this.replies = replies;
    }

    /** Paths with two variable segments: to be mounted after all others below {@code /db}. */
    void mount(Routes routes) {
        routes.post("/db/:bucket", caller.known(this::insert))
                .get("/db/:bucket/:oid", caller.known(this::load))
                .put("/db/:bucket/:oid", caller.known(this::replace))
                .post("/db/:bucket/:oid", caller.known(this::update))
                .post("/db/:bucket/:oid/:field", caller.known(this::updateField))
                .delete("/db/:bucket/:oid", caller.known(this::delete));
    }

    private Future<Reply> load(RoutingContext ctx, Principal principal) {
        Optional<String> depth = Parameters.text(ctx, "depth");
        return depth.isPresent() ? loadDeep(ctx, principal, depth.get()) : loadFlat(ctx, principal);
    }

    private Future<Reply> loadDeep(RoutingContext ctx, Principal principal, String depth) {
        SignedUrl.refuseMoreThanThePath(ctx.request());
        ReadLevel level = Newness.of(ctx.request()).level();
        return deep.load(principal, ObjectPaths.ref(ctx.request()), deep.depth(depth), level)
                .map(body -> Reply.json(200, body));
    }

    private Future<Reply> loadFlat(RoutingContext ctx, Principal principal) {
        Newness demanded = Newness.of(ctx.request());
        return objects.load(principal, ObjectPaths.ref(ctx.request()), demanded.isFresh())
                .map(answer -> replies.reply(ctx.request(), demanded, answer));
    }

    private Future<Reply> insert(RoutingContext ctx, Principal principal) {
        return writes.insert(principal, ObjectPaths.bucket(ctx.request()), Bodies.object(ctx))
                .map(written -> describe(201, written));
    }

    /** A replace whose body was read already, by whoever asks. */
    Future<Reply> replace(HttpServerRequest request, Buffer body) {
        return caller.known(request, principal -> replace(request, body, principal));
    }

    private Future<Reply> replace(RoutingContext ctx, Principal principal) {
        return replace(ctx.request(), Bodies.buffer(ctx), principal);
    }

    private Future<Reply> replace(HttpServerRequest request, Buffer body, Principal principal) {
        return writes.replace(
                        principal, ObjectPaths.ref(request), Bodies.object(request, body), WriteConditions.of(request))
                .map(written -> describe(200, written));
    }

    /** A partial update whose body was read already, by whoever asks. */
    Future<Reply> update(HttpServerRequest request, Buffer body) {
        return caller.known(request, principal -> update(request, Bodies.object(request, body), principal));
    }

    private Future<Reply> update(RoutingContext ctx, Principal principal) {
        return update(ctx.request(), Bodies.object(ctx), principal);
    }

    private Future<Reply> updateField(RoutingContext ctx, Principal principal) {
        String field = ObjectPaths.field(ctx.request());
        BsonDocument operations = new BsonDocument();
        Bodies.object(ctx).forEach((name, value) -> operations.append(name, new BsonDocument(field, value)));
        return update(ctx.request(), operations, principal);
    }

    private Future<Reply> update(HttpServerRequest request, BsonDocument operations, Principal principal) {
        return writes.update(principal, ObjectPaths.ref(request), operations, WriteConditions.of(request))
                .map(written -> objects.mayShow(principal, written.stored())
                        ? describe(200, written)
                        : describeMetadata(written.stored()));
    }

    /** Who may write an object but not read it is not told what else is in it. */
    private Reply describeMetadata(StoredObject stored) {
        return Reply.json(200, rendering.metadata(stored))
                .with(HttpHeaders.ETAG, rendering.tagged(stored).etag());
    }

    private Future<Reply> delete(RoutingContext ctx, Principal principal) {
        return writes.delete(principal, ObjectPaths.ref(ctx.request()), WriteConditions.of(ctx.request()))
                .map(deleted -> Reply.empty(204));
    }

    private Reply describe(int status, Written written) {
        Rendered rendered = rendering.tagged(written.stored());
        Reply reply = Reply.json(status, rendered.body()).with(HttpHeaders.ETAG, rendered.etag());
        return written.resultsKept()
                .map(kept -> reply.with(RESULTS_KEPT, Long.toString(kept.toSeconds())))
                .orElse(reply);
    }
}
