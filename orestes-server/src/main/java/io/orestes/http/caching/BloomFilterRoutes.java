package io.orestes.http.caching;

import io.orestes.caching.CacheAdministrator;
import io.orestes.caching.ClientSketch;
import io.orestes.caching.PeerCacheAccess;
import io.orestes.caching.sketch.SketchSnapshot;
import io.orestes.http.caller.RequestAuthenticator;
import io.orestes.http.protocol.ApiResponse;
import io.orestes.http.protocol.ApiRouter;
import io.orestes.http.protocol.ContentCodings;
import io.orestes.json.JsonWriter;
import io.orestes.model.Principal;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import org.bson.BsonDocument;
import org.bson.BsonInt64;

/**
 * {@code /bloomfilter}: the filter of stale cached copies (protocol §13.3). Serves one event loop
 * and is used by it alone.
 */
public final class BloomFilterRoutes {

    /**
     * Cache directives: browsers revalidate every time; a shared cache may reuse a response for a
     * second, which adds to the staleness bound.
     */
    private static final String MICRO_CACHED = "public, max-age=0, s-maxage=1";

    private static final String NO_COPY = "no-store";

    /**
     * Filter size in bytes from which gzip is worthwhile. With few stale keys a large filter is
     * mostly zeros, which gzip reduces to some hundred bytes.
     */
    private static final int WORTH_ZIPPING = 512;

    /**
     * Lag of purged caches. The header is always present: after a 304 without it a cache would
     * continue to send an earlier value (RFC 9111 §3.2).
     */
    private static final CharSequence PURGE_LAG = HttpHeaders.createOptimized("Orestes-Purge-Lag");

    private final RequestAuthenticator requestAuthenticator;
    private final PeerCacheAccess caches;
    private final CacheAdministrator administrator;

    public BloomFilterRoutes(
            RequestAuthenticator requestAuthenticator, PeerCacheAccess caches, CacheAdministrator administrator) {
        this.requestAuthenticator = requestAuthenticator;
        this.caches = caches;
        this.administrator = administrator;
    }

    public void mount(ApiRouter apiRouter) {
        apiRouter
                .get("/bloomfilter", this::filter)
                .delete("/bloomfilter", requestAuthenticator.admin(this::reset))
                .get("/bloomfilter/expirations", requestAuthenticator.admin(this::expirations));
    }

    private Future<ApiResponse> filter(RoutingContext ctx) {
        return caches.clientFilter().map(filter -> reply(ctx, filter));
    }

    private ApiResponse reply(RoutingContext ctx, ClientSketch filter) {
        SketchSnapshot snapshot = filter.snapshot();
        boolean zipped =
                ContentCodings.acceptsGzip(ctx.request()) && snapshot.body().length() > WORTH_ZIPPING;
        String etag = "\"" + snapshot.etag() + (zipped ? "--gzip\"" : "\"");
        ApiResponse apiResponse = ReadConditions.isUnchanged(ctx.request(), etag)
                ? ApiResponse.of(304, Buffer.buffer())
                : ApiResponse.of(200, zipped ? snapshot.zipped().get() : snapshot.body());
        if (zipped && apiResponse.status() == 200) {
            apiResponse.with(HttpHeaders.CONTENT_ENCODING, ContentCodings.GZIP);
        }
        return apiResponse
                .with(HttpHeaders.CONTENT_TYPE, ApiResponse.JSON)
                .with(HttpHeaders.ETAG, etag)
                .with(
                        HttpHeaders.CACHE_CONTROL,
                        FreshnessDemand.hasCacheBuster(ctx.request().uri()) ? NO_COPY : MICRO_CACHED)
                .with(HttpHeaders.VARY, "origin, accept-encoding")
                .with(ApiResponse.ORESTES_CACHE, ApiResponse.BYPASS)
                .with(PURGE_LAG, filter.purgeLag());
    }

    private Future<ApiResponse> reset(RoutingContext ctx, Principal admin) {
        return administrator.clear().map(ApiResponse.empty(204));
    }

    private Future<ApiResponse> expirations(RoutingContext ctx, Principal admin) {
        BsonDocument expirations = new BsonDocument();
        administrator
                .inspector()
                .staleKeyExpirations()
                .forEach((key, until) -> expirations.append(key, new BsonInt64(until.toEpochMilli())));
        return Future.succeededFuture(ApiResponse.json(200, JsonWriter.write(expirations)));
    }
}
