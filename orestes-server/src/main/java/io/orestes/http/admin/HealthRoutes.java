package io.orestes.http.admin;

import io.orestes.caching.CacheInspector;
import io.orestes.http.caching.CacheStateJson;
import io.orestes.http.caller.RequestAuthenticator;
import io.orestes.http.protocol.ApiResponse;
import io.orestes.http.protocol.ApiRouter;
import io.orestes.json.JsonWriter;
import io.orestes.model.Principal;
import io.orestes.ops.Diagnostics;
import io.orestes.ops.Health;
import io.orestes.ops.Metrics;
import io.orestes.ops.Version;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.BsonString;

/**
 * The routes of health and metrics: status and probes for everybody, and for admins the metrics and
 * the internal health of this server and its dependencies (protocol §3.1, §17.4).
 */
public final class HealthRoutes {

    private final RequestAuthenticator requestAuthenticator;
    private final Health health;
    private final Diagnostics diagnostics;
    private final CacheInspector caches;
    private final Metrics metrics;

    public HealthRoutes(
            RequestAuthenticator requestAuthenticator,
            Health health,
            Diagnostics diagnostics,
            CacheInspector caches,
            Metrics metrics) {
        this.requestAuthenticator = requestAuthenticator;
        this.health = health;
        this.diagnostics = diagnostics;
        this.caches = caches;
        this.metrics = metrics;
    }

    public void mount(ApiRouter apiRouter) {
        apiRouter
                .get("/status", this::health)
                .get("/-/live", ctx -> Future.succeededFuture(ApiResponse.json(200, JsonWriter.write(status(true)))))
                .get("/-/ready", this::health)
                .get("/-/startup", this::health)
                .get("/-/health", requestAuthenticator.admin(this::report))
                .get("/-/metrics", requestAuthenticator.admin((ctx, admin) -> Future.succeededFuture(meters())));
    }

    private Future<ApiResponse> health(RoutingContext ctx) {
        return health.check()
                .map(serving -> ApiResponse.json(
                        serving ? 200 : 503,
                        JsonWriter.write(status(serving).append("store", HealthJson.store(health)))));
    }

    private static BsonDocument status(boolean serving) {
        return new BsonDocument("status", new BsonString(serving ? "ok" : "unavailable"))
                .append("version", new BsonString(Version.SERVER));
    }

    private ApiResponse meters() {
        return ApiResponse.json(200, Buffer.buffer(metrics.scrape()))
                .with(HttpHeaders.CONTENT_TYPE, Metrics.CONTENT_TYPE);
    }

    /** Reports the health; all dependencies are checked concurrently. */
    private Future<ApiResponse> report(RoutingContext ctx, Principal admin) {
        Future<Optional<Duration>> store = health.probeStore();
        var coordination = diagnostics.coordination();
        var queues = diagnostics.queues();
        var lag = caches.purgeLag();
        return Future.all(store, coordination, queues, lag)
                .map(all -> ApiResponse.json(
                        200,
                        JsonWriter.write(HealthJson.of(health, store.result().orElse(null))
                                .append("coordinator", HealthJson.of(coordination.result()))
                                .append(
                                        "purges",
                                        CacheStateJson.purges(
                                                caches, lag.result().orElse(null)))
                                .append("queues", HealthJson.of(queues.result())))));
    }
}
