package io.orestes.http;

import io.orestes.caching.Caches;
import io.orestes.json.JsonWriter;
import io.orestes.model.Principal;
import io.orestes.ops.Health;
import io.orestes.ops.Insight;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.Optional;

/** {@code /-/health}: how this server is inside, and what it depends on; for admins. */
final class HealthRoutes {

    private final Caller caller;
    private final Health health;
    private final Insight insight;
    private final Caches caches;

    HealthRoutes(Caller caller, Health health, Insight insight, Caches caches) {
        this.caller = caller;
        this.health = health;
        this.insight = insight;
        this.caches = caches;
    }

    void mount(Routes routes) {
        routes.get("/-/health", caller.admin(this::report));
    }

    /** All is asked at the same time. */
    private Future<Reply> report(RoutingContext ctx, Principal admin) {
        Future<Optional<Duration>> store = health.askStore();
        var coordination = insight.coordination();
        var queues = insight.queues();
        var lag = caches.purgeLag();
        return Future.all(store, coordination, queues, lag)
                .map(all -> Reply.json(
                        200,
                        JsonWriter.write(HealthDescription.of(health, store.result())
                                .append("coordinator", HealthDescription.of(coordination.result()))
                                .append("purges", CachingDescription.purges(caches.inspection(), lag.result()))
                                .append("queues", HealthDescription.of(queues.result())))));
    }
}
