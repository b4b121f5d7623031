package io.orestes.http;

import io.orestes.caching.Caches;
import io.orestes.json.JsonWriter;
import io.orestes.model.Principal;
import io.orestes.ops.Diagnostics;
import io.orestes.ops.Health;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.Optional;

/**
 * The routes of {@code /-/health}: the internal health of this server and its dependencies, for
 * admins.
 */
final class HealthRoutes {

    private final RequestAuthenticator requestAuthenticator;
    private final Health health;
    private final Diagnostics diagnostics;
    private final Caches caches;

    HealthRoutes(RequestAuthenticator requestAuthenticator, Health health, Diagnostics diagnostics, Caches caches) {
        this.requestAuthenticator = requestAuthenticator;
        this.health = health;
        this.diagnostics = diagnostics;
        this.caches = caches;
    }

    void mount(ApiRouter apiRouter) {
        apiRouter.get("/-/health", requestAuthenticator.admin(this::report));
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
                        JsonWriter.write(HealthJson.of(health, store.result())
                                .append("coordinator", HealthJson.of(coordination.result()))
                                .append("purges", CachingJson.purges(caches.inspection(), lag.result()))
                                .append("queues", HealthJson.of(queues.result())))));
    }
}
