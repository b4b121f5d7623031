package io.orestes.http.entry;

import io.orestes.auth.account.OpenedSession;
import io.orestes.auth.token.Caller;
import io.orestes.caching.PeerCacheAccess;
import io.orestes.http.body.RequestBodyParser;
import io.orestes.http.caching.FreshnessDemand;
import io.orestes.http.caller.UserRoutes;
import io.orestes.http.caller.UserServices;
import io.orestes.http.protocol.ApiResponse;
import io.orestes.http.protocol.ApiRouter;
import io.orestes.json.JsonWriter;
import io.orestes.read.response.JsonRenderer;
import io.orestes.schema.SchemaRegistry;
import io.orestes.schema.model.Schema;
import io.orestes.wire.QueryParameters;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;

/**
 * {@code /connect}: the handshake, as JSON or as the page through which browsers tunnel their calls
 * (protocol §4).
 */
public final class ConnectRoutes {

    /** Default time in seconds for which a client may use one Bloom filter. */
    private static final int BLOOM_FILTER_REFRESH = 60;

    private static final String PUBLIC = "public, max-age=0, s-maxage=1";
    private static final String PRIVATE = "private, no-store";
    private static final String HTML = "text/html;charset=utf-8";
    private static final String PAGE =
            ServerInfoRoutes.resource("/connect/page.html").toString(StandardCharsets.UTF_8);

    private final SchemaRegistry schemas;
    private final PeerCacheAccess caches;
    private final UserServices users;
    private final JsonRenderer jsonRenderer;
    private SchemaText written;

    public ConnectRoutes(
            SchemaRegistry schemas, PeerCacheAccess caches, UserServices users, JsonRenderer jsonRenderer) {
        this.schemas = schemas;
        this.caches = caches;
        this.users = users;
        this.jsonRenderer = jsonRenderer;
        this.written = SchemaText.of(schemas.current());
    }

    public void mount(ApiRouter apiRouter) {
        apiRouter.get("/connect", ctx -> connect(ctx, byUrl(ctx))).post("/connect", ctx -> connect(ctx, byForm(ctx)));
    }

    private Future<ApiResponse> connect(RoutingContext ctx, Future<Caller> caller) {
        return users.sessions().resume(caller).map(login -> reply(ctx, login.orElse(null)));
    }

    /**
     * Returns the caller by the URL. Clients up to 3.1 sign the path; a whole token is accepted,
     * too.
     */
    private Future<Caller> byUrl(RoutingContext ctx) {
        return users.authenticator()
                .caller(ctx.request())
                .recover(failure -> authorization(ctx).isPresent()
                        ? Future.failedFuture(failure)
                        : byToken(QueryParameters.text(ctx, "BAT").orElse("")));
    }

    private Future<Caller> byForm(RoutingContext ctx) {
        Optional<String> token = RequestBodyParser.formField(ctx, "BAT").filter(text -> !text.isEmpty());
        return authorization(ctx).isPresent() || token.isEmpty()
                ? users.authenticator().caller(ctx.request())
                : byToken(token.get());
    }

    private Future<Caller> byToken(String token) {
        return users.authenticator().caller("BAT " + token);
    }

    private static Optional<String> authorization(RoutingContext ctx) {
        return Optional.ofNullable(ctx.request().getHeader(HttpHeaders.AUTHORIZATION));
    }

    private ApiResponse reply(RoutingContext ctx, @Nullable OpenedSession user) {
        HttpServerRequest request = ctx.request();
        Buffer handshake = handshake(request, user);
        boolean page = wantsPage(ctx);
        ApiResponse apiResponse = ApiResponse.of(200, page ? page(handshake, user) : handshake)
                .with(HttpHeaders.CONTENT_TYPE, page ? HTML : ApiResponse.JSON)
                .with(HttpHeaders.CACHE_CONTROL, isForOneOnly(request, user) ? PRIVATE : PUBLIC)
                .with(HttpHeaders.VARY, "Origin, Accept, Authorization")
                .with(ApiResponse.ORESTES_CACHE, ApiResponse.BYPASS);
        return user == null ? apiResponse : apiResponse.with(UserRoutes.TOKEN, user.token());
    }

    /**
     * Returns whether the response is private: a caller is logged in, or the URL has the cache
     * buster, which a client with an expired token appends.
     */
    private static boolean isForOneOnly(HttpServerRequest request, @Nullable OpenedSession user) {
        return user != null || FreshnessDemand.hasCacheBuster(request.uri());
    }

    private Buffer handshake(HttpServerRequest request, @Nullable OpenedSession user) {
        Buffer json = Buffer.buffer("{\"bloomFilterRefresh\":" + BLOOM_FILTER_REFRESH + ",\"schema\":")
                .appendBuffer(classes())
                .appendString(",\"bloomFilter\":")
                .appendBuffer(caches.sketchSnapshot().body())
                .appendString(",\"websocket\":")
                .appendBuffer(text(ServerInfoRoutes.socketAddress(request)));
        return user == null
                ? json.appendString("}")
                : json.appendString(",\"token\":")
                        .appendBuffer(text(user.token()))
                        .appendString(",\"user\":")
                        .appendBuffer(jsonRenderer.object(user.user()))
                        .appendString("}");
    }

    /** Returns the classes, which are equal for all callers until a class changes. */
    private Buffer classes() {
        Schema current = schemas.current();
        if (current != written.schema()) {
            written = SchemaText.of(current);
        }
        return written.text();
    }

    /**
     * Returns the page with the handshake in it, so that the first tunnelled connect costs no round
     * trip.
     */
    private static Buffer page(Buffer handshake, @Nullable OpenedSession user) {
        String embedded = handshake.toString(StandardCharsets.UTF_8).replace("<", "\\u003c");
        // The handshake is inserted last, since texts in it may look like the other placeholder.
        return Buffer.buffer(
                PAGE.replace("{{token}}", user == null ? "" : user.token()).replace("{{handshake}}", embedded));
    }

    /**
     * Returns whether the client prefers the page to JSON. A client that accepts anything, or
     * nothing available, gets JSON.
     */
    private static boolean wantsPage(RoutingContext ctx) {
        return ctx.parsedHeaders().accept().stream()
                .filter(accepted -> accepted.weight() > 0)
                .map(accepted -> accepted.component() + "/" + accepted.subComponent())
                .filter(List.of("text/html", "application/json")::contains)
                .findFirst()
                .filter("text/html"::equals)
                .isPresent();
    }

    private static Buffer text(String value) {
        return JsonWriter.write(new BsonString(value));
    }

    /** A schema with its wire form. */
    private record SchemaText(Schema schema, Buffer text) {

        private static SchemaText of(Schema schema) {
            return new SchemaText(schema, JsonWriter.write(schema.descriptors()));
        }
    }
}
