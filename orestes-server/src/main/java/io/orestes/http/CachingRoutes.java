package io.orestes.http;

import io.orestes.caching.Caches;
import io.orestes.caching.KeyState;
import io.orestes.caching.purge.TargetCounts;
import io.orestes.json.JsonWriter;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.Principal;
import io.orestes.wire.Parameters;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;

/** {@code /-/caching}: what the caches do, what they hold of a URL, and how to make them forget it; for admins. */
final class CachingRoutes {

    private final Caller caller;
    private final Caches caches;
    private final ReadCounts reads;
    private final CachedUrls urls;

    CachingRoutes(Caller caller, Caches caches, ReadCounts reads, CachedUrls urls) {
        this.caller = caller;
        this.caches = caches;
        this.reads = reads;
        this.urls = urls;
    }

    void mount(Routes routes) {
        routes.get("/-/caching", caller.admin(this::state))
                .delete("/-/caching", caller.admin(this::purgeAll))
                .get("/-/caching/entry", caller.admin(this::inspect))
                .delete("/-/caching/entry", caller.admin(this::purge));
    }

    private Future<Reply> state(RoutingContext ctx, Principal admin) {
        Future<Optional<Duration>> lag = caches.purgeLag();
        Future<List<TargetCounts>> shared = caches.sharedCounts();
        return Future.all(lag, shared)
                .map(known -> json(CachingDescription.of(caches, reads, lag.result(), shared.result())));
    }

    private Future<Reply> inspect(RoutingContext ctx, Principal admin) {
        String key = key(ctx);
        KeyState state = caches.inspection().state(key, caches.filter().filter());
        return Future.succeededFuture(json(CachingDescription.of(key, state, caches.millis())));
    }

    private Future<Reply> purge(RoutingContext ctx, Principal admin) {
        String key = key(ctx);
        caches.purge(key);
        return confirmed(key);
    }

    private Future<Reply> purgeAll(RoutingContext ctx, Principal admin) {
        caches.purgeAll();
        return confirmed("everything");
    }

    private Future<Reply> confirmed(String purged) {
        return caches.confirmed()
                .compose(all ->
                        all ? Future.succeededFuture(Reply.empty(204)) : Future.failedFuture(stillServed(purged)));
    }

    private static ApiException stillServed(String purged) {
        return new ApiException(
                ErrorCode.UNAVAILABLE,
                "This server has forgotten " + purged
                        + " and browsers ask before they use copies, but a shared cache has not confirmed that it forgot, too;"
                        + " it may serve old copies until it does. Purge again to find out");
    }

    private String key(RoutingContext ctx) {
        return urls.key(Parameters.text(ctx, "url")
                .orElseThrow(() -> new ApiException(ErrorCode.BAD_REQUEST, "url is missing")));
    }

    private static Reply json(BsonDocument description) {
        return Reply.json(200, JsonWriter.write(description));
    }
}
