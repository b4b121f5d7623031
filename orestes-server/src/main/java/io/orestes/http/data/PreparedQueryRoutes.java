package io.orestes.http.data;

import io.orestes.http.body.RequestBodyParser;
import io.orestes.http.caching.CacheableResponses;
import io.orestes.http.caching.FreshnessDemand;
import io.orestes.http.caller.RequestAuthenticator;
import io.orestes.http.protocol.ApiResponse;
import io.orestes.http.protocol.ApiRouter;
import io.orestes.json.JsonWriter;
import io.orestes.model.Principal;
import io.orestes.read.query.ParameterizedQuery;
import io.orestes.read.query.ParameterizedQueryRepository;
import io.orestes.read.query.QueryFreshnessOptions;
import io.orestes.read.query.QueryReader;
import io.orestes.wire.QueryParameters;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import org.bson.BsonArray;
import org.bson.BsonValue;

/**
 * {@code /query} and {@code /query/:qid}: prepared queries (protocol §10.5). Results are those of
 * the ordinary query.
 */
public final class PreparedQueryRoutes {

    private final RequestAuthenticator requestAuthenticator;
    private final ParameterizedQueryRepository prepared;
    private final QueryReader queries;
    private final CacheableResponses replies;

    public PreparedQueryRoutes(
            RequestAuthenticator requestAuthenticator,
            ParameterizedQueryRepository prepared,
            QueryReader queries,
            CacheableResponses replies) {
        this.requestAuthenticator = requestAuthenticator;
        this.prepared = prepared;
        this.queries = queries;
        this.replies = replies;
    }

    public void mount(ApiRouter apiRouter) {
        apiRouter
                .get("/query", requestAuthenticator.admin(this::list))
                .post("/query", requestAuthenticator.admin(this::create))
                .get("/query/:qid", requestAuthenticator.authenticated((ctx, principal) -> find(ctx)
                        .map(found -> json(found.toBson()))))
                .delete("/query/:qid", requestAuthenticator.admin(this::dispose))
                .get("/query/:qid/source", requestAuthenticator.authenticated((ctx, principal) -> find(ctx)
                        .map(found -> json(found.query()))))
                .get("/query/:qid/parameters", requestAuthenticator.authenticated((ctx, principal) -> find(ctx)
                        .map(found -> json(found.parameters()))))
                .get("/query/:qid/result", requestAuthenticator.authenticated(this::result));
    }

    private Future<ApiResponse> list(RoutingContext ctx, Principal admin) {
        return prepared.list().map(all -> {
            BsonArray list = new BsonArray();
            all.forEach(each -> list.add(each.toBson()));
            return json(list);
        });
    }

    private Future<ApiResponse> create(RoutingContext ctx, Principal admin) {
        return prepared.create(RequestBodyParser.object(ctx))
                .map(stored -> ApiResponse.json(201, JsonWriter.write(stored.toBson()))
                        .with(HttpHeaders.LOCATION, ApiRouter.BASE + stored.id()));
    }

    private Future<ApiResponse> dispose(RoutingContext ctx, Principal admin) {
        return prepared.dispose(ctx.pathParam("qid")).map(done -> ApiResponse.empty(204));
    }

    /**
     * Returns the result. The response cache stores it under the key of the ordinary query. Other
     * caches do not store it, since they could not be purged when the prepared query is disposed.
     */
    private Future<ApiResponse> result(RoutingContext ctx, Principal principal) {
        int start = QueryParameters.number(ctx, "start", 0, 0);
        int count = QueryParameters.number(ctx, "count", -1, -1);
        FreshnessDemand demanded = FreshnessDemand.of(ctx.request());
        return find(ctx)
                .map(found -> prepared.request(found, name -> QueryParameters.text(ctx, name), start, count))
                .compose(request ->
                        queries.query(principal, request, new QueryFreshnessOptions(demanded.isFresh(), false, null)))
                .map(answer -> replies.toResponse(ctx.request(), demanded, answer))
                .map(reply -> reply.with(HttpHeaders.VARY, CacheableResponses.VARY_BY_CALLER));
    }

    private Future<ParameterizedQuery> find(RoutingContext ctx) {
        return prepared.find(
                ctx.pathParam("qid"), FreshnessDemand.of(ctx.request()).level());
    }

    private static ApiResponse json(BsonValue value) {
        return ApiResponse.json(200, JsonWriter.write(value));
    }
}
