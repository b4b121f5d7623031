package io.orestes.http.admin;

import io.orestes.caching.CacheInspector;
import io.orestes.config.EffectiveSetting;
import io.orestes.http.caller.RequestAuthenticator;
import io.orestes.http.protocol.ApiRouter;
import io.orestes.live.LiveEventExplainer;
import io.orestes.live.LiveQueryInspector;
import io.orestes.logging.RecentLogEntries;
import io.orestes.ops.Diagnostics;
import io.orestes.ops.Health;
import io.orestes.ops.Metrics;
import io.orestes.read.explanation.PermissionExplainer;
import java.util.List;

/** The thread-safe services for operators and admins that the routes of all event loops share. */
public record AdminServices(
        Health health,
        Diagnostics diagnostics,
        Metrics metrics,
        PermissionExplainer permissions,
        LiveEventExplainer liveEvents,
        LiveQueryInspector liveQueries,
        List<EffectiveSetting> settings,
        RecentLogEntries logs) {

    /** Mounts the routes of health, settings, log, live queries and explanations. */
    public void mount(ApiRouter apiRouter, RequestAuthenticator authenticator, CacheInspector caches) {
        new HealthRoutes(authenticator, health, diagnostics, caches, metrics).mount(apiRouter);
        new SettingsRoutes(authenticator, settings).mount(apiRouter);
        new LogRoutes(authenticator, logs).mount(apiRouter);
        new LiveQueryRoutes(authenticator, liveQueries).mount(apiRouter);
        new ExplainRoutes(authenticator, permissions, liveEvents).mount(apiRouter);
    }
}
