package io.orestes.http.data;

import io.orestes.http.body.RequestBodyParser;
import io.orestes.http.caller.RequestAuthenticator;
import io.orestes.http.protocol.ApiResponse;
import io.orestes.http.protocol.ApiRouter;
import io.orestes.http.protocol.ObjectPathParser;
import io.orestes.json.JsonWriter;
import io.orestes.model.Principal;
import io.orestes.schema.ClassIndexService;
import io.orestes.schema.SchemaRegistry;
import io.orestes.schema.model.ClassSchema;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;

/** {@code /index/:bucket}: declared indexes (protocol §11). */
public final class IndexRoutes {

    private static final Duration MAX_WAIT = Duration.ofSeconds(2);

    private final RequestAuthenticator requestAuthenticator;
    private final SchemaRegistry schemas;
    private final ClassIndexService indexes;

    public IndexRoutes(RequestAuthenticator requestAuthenticator, SchemaRegistry schemas, ClassIndexService indexes) {
        this.requestAuthenticator = requestAuthenticator;
        this.schemas = schemas;
        this.indexes = indexes;
    }

    public void mount(ApiRouter apiRouter) {
        apiRouter
                .get("/index/:bucket", requestAuthenticator.authenticated(this::list))
                .post("/index/:bucket", requestAuthenticator.admin(this::change))
                .delete("/index/:bucket", requestAuthenticator.admin(this::dropAll))
                .put("/index/:bucket/text", requestAuthenticator.admin(this::createText))
                .delete("/index/:bucket/text", requestAuthenticator.admin(this::dropText));
    }

    private Future<ApiResponse> list(RoutingContext ctx, Principal principal) {
        return indexes.list(type(ctx)).map(list -> ApiResponse.json(200, JsonWriter.write(list)));
    }

    private Future<ApiResponse> change(RoutingContext ctx, Principal admin) {
        long schemaEpoch = indexes.schemaEpoch(ObjectPathParser.bucket(ctx.request()));
        ClassSchema type = type(ctx);
        return soon(ctx.vertx(), indexes.change(schemas.current(), type, schemaEpoch, RequestBodyParser.object(ctx)));
    }

    private Future<ApiResponse> createText(RoutingContext ctx, Principal admin) {
        long schemaEpoch = indexes.schemaEpoch(ObjectPathParser.bucket(ctx.request()));
        return soon(ctx.vertx(), indexes.createText(type(ctx), schemaEpoch));
    }

    private Future<ApiResponse> dropText(RoutingContext ctx, Principal admin) {
        return indexes.dropText(type(ctx)).map(done -> ApiResponse.empty(202));
    }

    /**
     * Answers a change soon, before a large index is filled; the list of indexes shows its
     * progress.
     */
    private static Future<ApiResponse> soon(Vertx vertx, Future<Void> change) {
        Promise<ApiResponse> reply = Promise.promise();
        long timer = vertx.setTimer(MAX_WAIT.toMillis(), late -> reply.tryComplete(ApiResponse.empty(202)));
        change.onComplete(done -> {
            boolean unusedTimer = vertx.cancelTimer(timer);
            boolean unused = done.succeeded() ? reply.tryComplete(ApiResponse.empty(202)) : reply.tryFail(done.cause());
        });
        return reply.future();
    }

    private Future<ApiResponse> dropAll(RoutingContext ctx, Principal admin) {
        return indexes.dropAll(type(ctx)).map(done -> ApiResponse.empty(202));
    }

    private ClassSchema type(RoutingContext ctx) {
        return schemas.current().entity(ObjectPathParser.bucket(ctx.request()));
    }
}
