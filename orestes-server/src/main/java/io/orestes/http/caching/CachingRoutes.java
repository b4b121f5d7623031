package io.orestes.http.caching;

import io.orestes.caching.CacheAdministrator;
import io.orestes.caching.CacheInspector;
import io.orestes.caching.purge.SharedCacheStatistics;
import io.orestes.http.caller.RequestAuthenticator;
import io.orestes.http.protocol.ApiResponse;
import io.orestes.http.protocol.ApiRouter;
import io.orestes.json.JsonWriter;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.Principal;
import io.orestes.wire.QueryParameters;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;

/**
 * {@code /-/caching}: the state of the caches, their copies of a URL, and its invalidation; for
 * admins.
 */
public final class CachingRoutes {

    private final RequestAuthenticator requestAuthenticator;
    private final CacheAdministrator administrator;
    private final ReadSourceCounters reads;
    private final CacheKeyResolver urls;

    public CachingRoutes(
            RequestAuthenticator requestAuthenticator,
            CacheAdministrator administrator,
            ReadSourceCounters reads,
            CacheKeyResolver urls) {
        this.requestAuthenticator = requestAuthenticator;
        this.administrator = administrator;
        this.reads = reads;
        this.urls = urls;
    }

    public void mount(ApiRouter apiRouter) {
        apiRouter
                .get("/-/caching", requestAuthenticator.admin(this::state))
                .delete("/-/caching", requestAuthenticator.admin(this::purgeAll))
                .get("/-/caching/entry", requestAuthenticator.admin(this::inspect))
                .delete("/-/caching/entry", requestAuthenticator.admin(this::purge));
    }

    private Future<ApiResponse> state(RoutingContext ctx, Principal admin) {
        Future<Optional<Duration>> lag = administrator.inspector().purgeLag();
        Future<List<SharedCacheStatistics>> shared = administrator.inspector().fetchSharedCacheStatistics();
        return Future.all(lag, shared)
                .map(known -> json(CacheStateJson.of(
                        administrator.inspector(), reads, lag.result().orElse(null), shared.result())));
    }

    private Future<ApiResponse> inspect(RoutingContext ctx, Principal admin) {
        String key = key(ctx);
        CacheInspector inspector = administrator.inspector();
        return Future.succeededFuture(json(CacheStateJson.of(key, inspector.state(key), inspector.millis())));
    }

    private Future<ApiResponse> purge(RoutingContext ctx, Principal admin) {
        String key = key(ctx);
        return confirmed(key, administrator.purge(key));
    }

    private Future<ApiResponse> purgeAll(RoutingContext ctx, Principal admin) {
        return confirmed("everything", administrator.purgeAll());
    }

    private Future<ApiResponse> confirmed(String purged, Future<Boolean> confirmation) {
        return confirmation.compose(
                all -> all ? Future.succeededFuture(ApiResponse.empty(204)) : Future.failedFuture(stillServed(purged)));
    }

    private static ApiException stillServed(String purged) {
        return new ApiException(
                ErrorCode.UNAVAILABLE,
                "This server has evicted " + purged
                        + " and browsers revalidate their copies, but a shared cache has not confirmed the purge;"
                        + " it may serve old copies until it does. Purge again to check");
    }

    private String key(RoutingContext ctx) {
        return urls.key(QueryParameters.text(ctx, "url")
                .orElseThrow(() -> new ApiException(ErrorCode.BAD_REQUEST, "url is missing")));
    }

    private static ApiResponse json(BsonDocument description) {
        return ApiResponse.json(200, JsonWriter.write(description));
    }
}
