package io.orestes.http;

import io.orestes.model.Principal;
import io.orestes.read.ObjectReader;
import io.orestes.read.Rendered;
import io.orestes.read.Rendering;
import io.orestes.write.WritePipeline;
import io.orestes.write.Written;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;

/** {@code /db/:bucket} and {@code /db/:bucket/:oid}: single objects (protocol §8). */
final class ObjectRoutes {

    /** That a write changed no cached query result, and for how many seconds all of which copies live have been watched. */
    private static final CharSequence RESULTS_KEPT = HttpHeaders.createOptimized("Orestes-Results-Kept");

    private final Caller caller;
    private final ObjectReader objects;
    private final WritePipeline writes;
    private final Rendering rendering;

    ObjectRoutes(Caller caller, ObjectReader objects, WritePipeline writes, Rendering rendering) {
        this.caller = caller;
        this.objects = objects;
        this.writes = writes;
        this.rendering = rendering;
    }

    /** Paths with two variable segments: to be mounted after all others below {@code /db}. */
    void mount(Routes routes) {
        routes.post("/db/:bucket", caller.known(this::insert))
                .get("/db/:bucket/:oid", caller.known(this::load))
                .put("/db/:bucket/:oid", caller.known(this::replace))
                .delete("/db/:bucket/:oid", caller.known(this::delete));
    }

    private Future<Reply> load(RoutingContext ctx, Principal principal) {
        Newness demanded = Newness.of(ctx.request());
        return objects.load(principal, ObjectPaths.ref(ctx.request()), demanded.isFresh())
                .map(answer -> CachedReplies.reply(ctx.request(), demanded, answer));
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
