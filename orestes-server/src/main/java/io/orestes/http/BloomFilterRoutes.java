package io.orestes.http;

import io.orestes.caching.Caches;
import io.orestes.caching.ClientFilter;
import io.orestes.caching.sketch.SketchSnapshot;
import io.orestes.json.JsonWriter;
import io.orestes.model.Principal;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import org.bson.BsonDocument;
import org.bson.BsonInt64;

/** {@code /bloomfilter}: which cached copies are stale (protocol §13.3). Serves one event loop and is used by it alone. */
final class BloomFilterRoutes {

    /** Browsers ask every time; a shared cache may answer many of them for a second, which adds to their bound. */
    private static final String MICRO_CACHED = "public, max-age=0, s-maxage=1";

    private static final String NO_COPY = "no-store";

    /** With few stale keys a filter is mostly zeros, of which gzip makes some hundred bytes; an empty one is short anyway. */
    private static final int WORTH_ZIPPING = 512;

    /**
     * How far behind purged caches are. Always there: from an answer 304 without it a cache would go on to tell what an earlier one
     * said (RFC 9111 §3.2).
     */
    private static final CharSequence PURGE_LAG = HttpHeaders.createOptimized("Orestes-Purge-Lag");

    private final Caller caller;
    private final Caches caches;

    BloomFilterRoutes(Caller caller, Caches caches) {
        this.caller = caller;
        this.caches = caches;
    }

    void mount(Routes routes) {
        routes.get("/bloomfilter", this::filter)
                .delete("/bloomfilter", caller.admin(this::reset))
                .get("/bloomfilter/expirations", caller.admin(this::expirations));
    }

    private Future<Reply> filter(RoutingContext ctx) {
        return caches.clientFilter().map(filter -> reply(ctx, filter));
    }

    private Reply reply(RoutingContext ctx, ClientFilter filter) {
        SketchSnapshot snapshot = filter.snapshot();
        boolean zipped =
                ContentCodings.takesGzip(ctx.request()) && snapshot.body().length() > WORTH_ZIPPING;
        String etag = "\"" + snapshot.etag() + (zipped ? "--gzip\"" : "\"");
        Reply reply = Conditions.isUnchanged(ctx.request(), etag)
                ? Reply.of(304, Buffer.buffer())
                : Reply.of(200, zipped ? snapshot.zipped().get() : snapshot.body());
        if (zipped && reply.status() == 200) {
            reply.with(HttpHeaders.CONTENT_ENCODING, ContentCodings.GZIP);
        }
        return reply.with(HttpHeaders.CONTENT_TYPE, Reply.JSON)
                .with(HttpHeaders.ETAG, etag)
                .with(HttpHeaders.CACHE_CONTROL, Newness.isBusted(ctx.request().uri()) ? NO_COPY : MICRO_CACHED)
                .with(HttpHeaders.VARY, "origin, accept-encoding")
                .with(Reply.ORESTES_CACHE, Reply.BYPASS)
                .with(PURGE_LAG, filter.purgeLag());
    }

    private Future<Reply> reset(RoutingContext ctx, Principal admin) {
        caches.clear();
        return caches.settled().map(Reply.empty(204));
    }

    private Future<Reply> expirations(RoutingContext ctx, Principal admin) {
        BsonDocument expirations = new BsonDocument();
        caches.staleKeys()
                .expirations()
                .forEach((key, until) -> expirations.append(key, new BsonInt64(until.toEpochMilli())));
        return Future.succeededFuture(Reply.json(200, JsonWriter.write(expirations)));
    }
}
