package io.orestes.http.data;

import io.orestes.auth.token.SignedUrl;
import io.orestes.http.body.RequestBodyParser;
import io.orestes.http.caching.CacheableResponses;
import io.orestes.http.caching.FreshnessDemand;
import io.orestes.http.caller.RequestAuthenticator;
import io.orestes.http.protocol.ApiResponse;
import io.orestes.http.protocol.ApiRouter;
import io.orestes.http.protocol.ObjectPathParser;
import io.orestes.model.Principal;
import io.orestes.model.ReadLevel;
import io.orestes.model.StoredObject;
import io.orestes.read.response.JsonRenderer;
import io.orestes.read.response.RenderedBody;
import io.orestes.wire.QueryParameters;
import io.orestes.write.WritePipeline;
import io.orestes.write.WriteResult;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.Optional;
import org.bson.BsonDocument;

/** {@code /db/:bucket} and {@code /db/:bucket/:oid}: single objects (protocol §8). */
public final class ObjectRoutes {

    /**
     * Header of a write that changed no cached query result: seconds for which all results with
     * live copies have been watched.
     */
    private static final CharSequence RESULTS_KEPT = HttpHeaders.createOptimized("Orestes-Results-Kept");

    private final RequestAuthenticator requestAuthenticator;
    private final ReadServices reads;
    private final WritePipeline writes;
    private final JsonRenderer jsonRenderer;
    private final CacheableResponses replies;

    public ObjectRoutes(
            RequestAuthenticator requestAuthenticator,
            ReadServices reads,
            WritePipeline writes,
            JsonRenderer jsonRenderer,
            CacheableResponses replies) {
        this.requestAuthenticator = requestAuthenticator;
        this.reads = reads;
        this.writes = writes;
        this.jsonRenderer = jsonRenderer;
        this.replies = replies;
    }

    /**
     * Mounts the routes. Their paths have two variable segments: to be mounted after all others
     * below {@code /db}.
     */
    public void mount(ApiRouter apiRouter) {
        apiRouter
                .post("/db/:bucket", requestAuthenticator.authenticated(this::insert))
                .get("/db/:bucket/:oid", requestAuthenticator.authenticated(this::load))
                .put("/db/:bucket/:oid", requestAuthenticator.authenticated(this::replace))
                .post("/db/:bucket/:oid", requestAuthenticator.authenticated(this::update))
                .post("/db/:bucket/:oid/:field", requestAuthenticator.authenticated(this::updateField))
                .delete("/db/:bucket/:oid", requestAuthenticator.authenticated(this::delete));
    }

    private Future<ApiResponse> load(RoutingContext ctx, Principal principal) {
        Optional<String> depth = QueryParameters.text(ctx, "depth");
        return depth.isPresent() ? loadDeep(ctx, principal, depth.get()) : loadFlat(ctx, principal);
    }

    private Future<ApiResponse> loadDeep(RoutingContext ctx, Principal principal, String depth) {
        SignedUrl.refuseMoreThanThePath(ctx.request());
        ReadLevel level = FreshnessDemand.of(ctx.request()).level();
        return reads.deep()
                .load(
                        principal,
                        ObjectPathParser.ref(ctx.request()),
                        reads.deep().depth(depth),
                        level)
                .map(body -> ApiResponse.json(200, body));
    }

    private Future<ApiResponse> loadFlat(RoutingContext ctx, Principal principal) {
        FreshnessDemand demanded = FreshnessDemand.of(ctx.request());
        return reads.objects()
                .load(principal, ObjectPathParser.ref(ctx.request()), demanded.isFresh())
                .map(answer -> replies.toResponse(ctx.request(), demanded, answer));
    }

    private Future<ApiResponse> insert(RoutingContext ctx, Principal principal) {
        return writes.insert(principal, ObjectPathParser.bucket(ctx.request()), RequestBodyParser.object(ctx))
                .map(writeResult -> describe(201, writeResult));
    }

    /** Replaces an object by a body that was read already, with the caller of the request. */
    public Future<ApiResponse> replace(HttpServerRequest request, Buffer body) {
        return requestAuthenticator.authenticated(request, principal -> replace(request, body, principal));
    }

    private Future<ApiResponse> replace(RoutingContext ctx, Principal principal) {
        return replace(ctx.request(), RequestBodyParser.buffer(ctx), principal);
    }

    private Future<ApiResponse> replace(HttpServerRequest request, Buffer body, Principal principal) {
        return writes.replace(
                        principal,
                        ObjectPathParser.ref(request),
                        RequestBodyParser.object(request, body),
                        WriteConditions.of(request))
                .map(writeResult -> describe(200, writeResult));
    }

    /**
     * Updates an object partially by a body that was read already, with the caller of the request.
     */
    public Future<ApiResponse> update(HttpServerRequest request, Buffer body) {
        return requestAuthenticator.authenticated(
                request, principal -> update(request, RequestBodyParser.object(request, body), principal));
    }

    private Future<ApiResponse> update(RoutingContext ctx, Principal principal) {
        return update(ctx.request(), RequestBodyParser.object(ctx), principal);
    }

    private Future<ApiResponse> updateField(RoutingContext ctx, Principal principal) {
        String field = ObjectPathParser.field(ctx.request());
        BsonDocument operations = new BsonDocument();
        RequestBodyParser.object(ctx).forEach((name, value) -> operations.append(name, new BsonDocument(field, value)));
        return update(ctx.request(), operations, principal);
    }

    private Future<ApiResponse> update(HttpServerRequest request, BsonDocument operations, Principal principal) {
        return writes.update(principal, ObjectPathParser.ref(request), operations, WriteConditions.of(request))
                .map(writeResult -> reads.objects().mayShow(principal, writeResult.stored())
                        ? describe(200, writeResult)
                        : describeMetadata(writeResult.stored()));
    }

    /**
     * Describes the metadata only, since a caller that may write but not read an object must not
     * learn its other fields.
     */
    private ApiResponse describeMetadata(StoredObject stored) {
        return ApiResponse.json(200, jsonRenderer.metadata(stored))
                .with(HttpHeaders.ETAG, jsonRenderer.tagged(stored).etag());
    }

    private Future<ApiResponse> delete(RoutingContext ctx, Principal principal) {
        return writes.delete(principal, ObjectPathParser.ref(ctx.request()), WriteConditions.of(ctx.request()))
                .map(deleted -> ApiResponse.empty(204));
    }

    private ApiResponse describe(int status, WriteResult writeResult) {
        RenderedBody renderedBody = jsonRenderer.tagged(writeResult.stored());
        ApiResponse apiResponse =
                ApiResponse.json(status, renderedBody.body()).with(HttpHeaders.ETAG, renderedBody.etag());
        Duration kept = writeResult.resultsUnchangedFor();
        return kept == null ? apiResponse : apiResponse.with(RESULTS_KEPT, Long.toString(kept.toSeconds()));
    }
}
