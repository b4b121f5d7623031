package io.orestes.http;

import io.orestes.caching.Caches;
import io.orestes.json.JsonWriter;
import io.orestes.model.Principal;
import io.orestes.read.QueryParsing;
import io.orestes.read.QueryReader;
import io.orestes.read.QueryRequest;
import io.orestes.wire.Parameters;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt64;

/** {@code /db/:bucket/query} and {@code /db/:bucket/count} (protocol §10). */
final class QueryRoutes {

    private final Caller caller;
    private final QueryReader queries;
    private final Caches caches;

    QueryRoutes(Caller caller, QueryReader queries, Caches caches) {
        this.caller = caller;
        this.queries = queries;
        this.caches = caches;
    }

    void mount(Routes routes) {
        routes.get("/db/:bucket/query", caller.known(this::query))
                .post("/db/:bucket/query", caller.known(this::queryByBody))
                .get("/db/:bucket/count", caller.known(this::count))
                .post("/db/:bucket/count", caller.known(this::countByBody));
    }

    private Future<Reply> query(RoutingContext ctx, Principal principal) {
        QueryRequest request = request(
                ctx, QueryParsing.document("query", Parameters.text(ctx, "q").orElse("")));
        if (!Parameters.flag(ctx, "eager", true)) {
            return versions(principal, request);
        }
        boolean fresh = CachedReplies.wantsFresh(ctx.request());
        if (!fresh) {
            caches.aliases().remember(ctx.request().uri(), queries.key(request));
        }
        return queries.query(principal, request, fresh).map(answer -> CachedReplies.reply(ctx.request(), answer)
                .with(HttpHeaders.VARY, CachedReplies.BY_CALLER));
    }

    private Future<Reply> queryByBody(RoutingContext ctx, Principal principal) {
        QueryRequest request = request(ctx, bodyFilter(ctx));
        return queries.query(principal, request, CachedReplies.wantsFresh(ctx.request()))
                .map(answer ->
                        CachedReplies.reply(ctx.request(), answer).with(HttpHeaders.CACHE_CONTROL, Reply.NO_STORE));
    }

    private Future<Reply> count(RoutingContext ctx, Principal principal) {
        return count(
                principal,
                request(
                        ctx,
                        QueryParsing.document("query", Parameters.text(ctx, "q").orElse(""))));
    }

    private Future<Reply> countByBody(RoutingContext ctx, Principal principal) {
        return count(principal, request(ctx, bodyFilter(ctx)));
    }

    private Future<Reply> count(Principal principal, QueryRequest request) {
        return queries.count(principal, request)
                .map(count -> Reply.json(200, JsonWriter.write(new BsonDocument("count", new BsonInt64(count)))));
    }

    private Future<Reply> versions(Principal principal, QueryRequest request) {
        return queries.select(principal, request).map(result -> {
            BsonArray versions = new BsonArray(result.size());
            result.forEach(
                    object -> versions.add(new BsonDocument(object.ref().id(), new BsonInt64(object.version()))));
            return Reply.json(200, JsonWriter.write(versions));
        });
    }

    private static QueryRequest request(RoutingContext ctx, BsonDocument q) {
        return new QueryRequest(
                ObjectPaths.bucket(ctx.request()),
                q,
                QueryParsing.document("sort order", Parameters.text(ctx, "sort").orElse("")),
                Parameters.number(ctx, "start", 0, 0),
                Parameters.number(ctx, "count", -1, -1));
    }

    private static BsonDocument bodyFilter(RoutingContext ctx) {
        Bodies.requireType(ctx, "text/plain", "application/json");
        return QueryParsing.document("query", Bodies.text(ctx));
    }
}
