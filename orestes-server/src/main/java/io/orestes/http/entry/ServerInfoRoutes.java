package io.orestes.http.entry;

import io.orestes.http.protocol.ApiResponse;
import io.orestes.http.protocol.ApiRouter;
import io.orestes.json.JsonWriter;
import io.orestes.ops.Version;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.HostAndPort;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;

/**
 * The routes that describe the interface: its resources, version, OpenAPI description and the
 * address of its WebSocket (protocol §3.1, §17.4).
 */
public final class ServerInfoRoutes {

    private static final String SPEC = "/orestes-schema/openapi.json";

    private ServerInfoRoutes() {}

    public static void mount(ApiRouter apiRouter) {
        apiRouter
                .get("/", ctx -> Future.succeededFuture(resources()))
                .get("/version", ctx -> Future.succeededFuture(version()))
                .get("/spec", ctx -> Future.succeededFuture(ApiResponse.json(200, resource(SPEC))))
                .get("/events-url", ctx -> Future.succeededFuture(eventsUrl(ctx)));
    }

    /**
     * Returns the address of the WebSocket without its scheme, as the caller reaches this server.
     */
    static String socketAddress(HttpServerRequest request) {
        HostAndPort authority = request.authority();
        return "//" + (authority == null ? "localhost" : authority) + ApiRouter.BASE + "/events";
    }

    private static ApiResponse resources() {
        BsonArray paths = new BsonArray();
        Stream.of(
                        "bloomfilter",
                        "connect",
                        "db",
                        "events",
                        "index",
                        "schema",
                        "spec",
                        "status",
                        "transaction",
                        "version")
                .forEach(name -> paths.add(new BsonString(ApiRouter.BASE + "/" + name)));
        return ApiResponse.json(200, JsonWriter.write(paths));
    }

    private static ApiResponse version() {
        return ApiResponse.json(
                200,
                JsonWriter.write(new BsonDocument("api", new BsonString(Version.API))
                        .append("server", new BsonString(Version.SERVER))));
    }

    private static ApiResponse eventsUrl(RoutingContext ctx) {
        return ApiResponse.json(
                200, JsonWriter.write(new BsonDocument("url", new BsonString(socketAddress(ctx.request())))));
    }

    /** Returns the raw bytes of a file in the jar. */
    static Buffer resource(String path) {
        try (InputStream in = Objects.requireNonNull(ServerInfoRoutes.class.getResourceAsStream(path), path)) {
            return Buffer.buffer(in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
