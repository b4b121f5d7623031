package io.orestes.http;

import io.orestes.caching.Caches;
import io.orestes.caching.ClientSketch;
import io.orestes.caching.sketch.SketchSnapshot;
import io.orestes.json.JsonWriter;
import io.orestes.model.Principal;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import org.bson.BsonDocument;
import org.bson.BsonInt64;

/**
 * {@code /bloomfilter}: which cached copies are stale (protocol §13.3). Serves one event loop and
 * is used by it alone.
 */
final class BloomFilterRoutes {

    /**
     * Browsers ask every time; a shared cache may answer many of them for a second, which adds to
     * their bound.
     */
    private static final String MICRO_CACHED = "public, max-age=0, s-maxage=1";

    private static final String NO_COPY = "no-store";

    /**
     * With few stale keys a filter is mostly zeros, of which gzip makes some hundred bytes; an
     * empty one is short anyway.
     */
    private static final int WORTH_ZIPPING = 512;

    /**
     * How far behind purged caches are. Always there: from an answer 304 without it a cache would
     * go on to tell what an earlier one said (RFC 9111 §3.2).
     */
    private static final CharSequence PURGE_LAG = HttpHeaders.createOptimized("Orestes-Purge-Lag");

    private final RequestAuthenticator requestAuthenticator;
    private final Caches caches;

    BloomFilterRoutes(RequestAuthenticator requestAuthenticator, Caches caches) {
        this.requestAuthenticator = requestAuthenticator;
        this.caches = caches;
    }

    void mount(ApiRouter apiRouter) {
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
                ContentCodings.takesGzip(ctx.request()) && snapshot.body().length() > WORTH_ZIPPING;
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
                        FreshnessDemand.isBusted(ctx.request().uri()) ? NO_COPY : MICRO_CACHED)
                .with(HttpHeaders.VARY, "origin, accept-encoding")
                .with(ApiResponse.ORESTES_CACHE, ApiResponse.BYPASS)
                .with(PURGE_LAG, filter.purgeLag());
    }

    private Future<ApiResponse> reset(RoutingContext ctx, Principal admin) {
        caches.clear();
        return caches.settled().map(ApiResponse.empty(204));
    }

    private Future<ApiResponse> expirations(RoutingContext ctx, Principal admin) {
        BsonDocument expirations = new BsonDocument();
        caches.staleKeys()
                .expirations()
                .forEach((key, until) -> expirations.append(key, new BsonInt64(until.toEpochMilli())));
        return Future.succeededFuture(ApiResponse.json(200, JsonWriter.write(expirations)));
    }
}
