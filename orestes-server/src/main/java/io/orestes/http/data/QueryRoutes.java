package io.orestes.http.data;

import io.orestes.auth.token.SignedUrl;
import io.orestes.http.body.RequestBodyParser;
import io.orestes.http.caching.CacheableResponses;
import io.orestes.http.caching.FreshnessDemand;
import io.orestes.http.caller.RequestAuthenticator;
import io.orestes.http.protocol.ApiResponse;
import io.orestes.http.protocol.ApiRouter;
import io.orestes.http.protocol.ObjectPathParser;
import io.orestes.json.JsonWriter;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.Principal;
import io.orestes.model.ReadLevel;
import io.orestes.read.object.ReferenceExpander;
import io.orestes.read.query.AggregateReader;
import io.orestes.read.query.AggregateRequest;
import io.orestes.read.query.QueryFreshnessOptions;
import io.orestes.read.query.QueryParser;
import io.orestes.read.query.QueryReader;
import io.orestes.read.query.QueryRequest;
import io.orestes.read.query.ResultForm;
import io.orestes.wire.QueryParameters;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;

/** {@code /db/:bucket/query} and {@code /db/:bucket/count} (protocol §10). */
public final class QueryRoutes {

    private static final List<String> REFUSED_BESIDE_AGGREGATE =
            List.of("sort", "start", "count", "eager", "ids", "depth", "polymorphic");

    private final RequestAuthenticator requestAuthenticator;
    private final QueryReader queries;
    private final AggregateReader aggregates;
    private final ReferenceExpander deep;
    private final CacheableResponses replies;

    public QueryRoutes(RequestAuthenticator requestAuthenticator, ReadServices reads, CacheableResponses replies) {
        this.requestAuthenticator = requestAuthenticator;
        this.queries = reads.queries();
        this.deep = reads.deep();
        this.replies = replies;
        this.aggregates = reads.aggregates();
    }

    public void mount(ApiRouter apiRouter) {
        apiRouter
                .get("/db/:bucket/query", requestAuthenticator.authenticated(this::query))
                .postToRead("/db/:bucket/query", requestAuthenticator.authenticated(this::queryByBody))
                .get("/db/:bucket/query/url", this::url)
                .get("/db/:bucket/count", requestAuthenticator.authenticated(this::count))
                .postToRead("/db/:bucket/count", requestAuthenticator.authenticated(this::countByBody));
    }

    private Future<ApiResponse> query(RoutingContext ctx, Principal principal) {
        BsonDocument q =
                QueryParser.document("query", QueryParameters.text(ctx, "q").orElse(""));
        return isAggregate(ctx) ? aggregate(ctx, principal, q) : objects(ctx, principal, q);
    }

    private Future<ApiResponse> objects(RoutingContext ctx, Principal principal, BsonDocument q) {
        QueryRequest request = request(ctx, q);
        if (!QueryParameters.flag(ctx, "eager", true)) {
            return versions(ctx, principal, request);
        }
        if (QueryParameters.text(ctx, "depth").isPresent()) {
            return deepObjects(ctx, principal, request);
        }
        if (request.polymorphic()) {
            return withSubclasses(ctx, principal, request);
        }
        FreshnessDemand demanded = FreshnessDemand.of(ctx.request());
        return queries.query(
                        principal, request, options(ctx, demanded, ctx.request().uri()))
                .map(answer -> replies.toResponse(ctx.request(), demanded, answer))
                .map(reply -> reply.with(HttpHeaders.VARY, CacheableResponses.VARY_BY_CALLER));
    }

    private static QueryFreshnessOptions options(RoutingContext ctx, FreshnessDemand demanded, @Nullable String url) {
        return new QueryFreshnessOptions(demanded.isFresh(), QueryParameters.flag(ctx, "hinted", false), url);
    }

    private Future<ApiResponse> deepObjects(RoutingContext ctx, Principal principal, QueryRequest request) {
        if (request.form() != ResultForm.OBJECTS) {
            throw new ApiException(ErrorCode.BAD_REQUEST, "A list of ids has no depth");
        }
        SignedUrl.refuseMoreThanThePath(ctx.request());
        int depth = deep.depth(QueryParameters.text(ctx, "depth").orElseThrow());
        return deep.query(principal, request, depth, level(ctx)).map(body -> ApiResponse.json(200, body));
    }

    /** Returns the canonical URL of the query in caches; it does not depend on the caller. */
    private Future<ApiResponse> url(RoutingContext ctx) {
        BsonDocument q =
                QueryParser.document("query", QueryParameters.text(ctx, "q").orElse(""));
        String key = queries.key(request(ctx, q));
        return Future.succeededFuture(
                ApiResponse.json(200, JsonWriter.write(new BsonDocument("url", new BsonString(ApiRouter.BASE + key)))));
    }

    private Future<ApiResponse> queryByBody(RoutingContext ctx, Principal principal) {
        BsonDocument q = bodyFilter(ctx);
        return isAggregate(ctx)
                ? aggregate(ctx, principal, q).map(CacheableResponses::noStore)
                : objectsByBody(ctx, principal, q);
    }

    private Future<ApiResponse> objectsByBody(RoutingContext ctx, Principal principal, BsonDocument q) {
        QueryRequest request = request(ctx, q);
        if (QueryParameters.text(ctx, "depth").isPresent()) {
            return deepObjects(ctx, principal, request);
        }
        if (request.polymorphic()) {
            return withSubclasses(ctx, principal, request);
        }
        FreshnessDemand demanded = FreshnessDemand.of(ctx.request());
        return queries.query(principal, request, options(ctx, demanded, null))
                .map(answer -> CacheableResponses.noStore(replies.toResponse(ctx.request(), demanded, answer)));
    }

    private Future<ApiResponse> withSubclasses(RoutingContext ctx, Principal principal, QueryRequest request) {
        FreshnessDemand demanded = FreshnessDemand.of(ctx.request());
        return queries.query(principal, request, new QueryFreshnessOptions(demanded.isFresh(), false, null))
                .map(answer -> CacheableResponses.noStore(replies.toResponse(ctx.request(), demanded, answer)))
                .map(reply -> reply.with(HttpHeaders.VARY, CacheableResponses.VARY_BY_CALLER));
    }

    private static boolean isAggregate(RoutingContext ctx) {
        return QueryParameters.text(ctx, "aggregate").isPresent();
    }

    private Future<ApiResponse> aggregate(RoutingContext ctx, Principal principal, BsonDocument q) {
        if (REFUSED_BESIDE_AGGREGATE.stream()
                .anyMatch(name -> !QueryParameters.text(ctx, name).orElse("").isEmpty())) {
            throw new ApiException(
                    ErrorCode.QUERY_NOT_SUPPORTED,
                    "An aggregate has no " + String.join(", ", REFUSED_BESIDE_AGGREGATE));
        }
        AggregateRequest request = new AggregateRequest(
                ObjectPathParser.bucket(ctx.request()),
                q,
                QueryParser.document(
                        "aggregate", QueryParameters.text(ctx, "aggregate").orElse("")));
        FreshnessDemand demanded = FreshnessDemand.of(ctx.request());
        return aggregates.aggregate(principal, request, demanded.level()).map(answer -> replies.toResponse(
                        ctx.request(), demanded, answer)
                .with(HttpHeaders.VARY, CacheableResponses.VARY_BY_CALLER));
    }

    private Future<ApiResponse> count(RoutingContext ctx, Principal principal) {
        return count(
                ctx,
                principal,
                QueryParser.document("query", QueryParameters.text(ctx, "q").orElse("")));
    }

    private Future<ApiResponse> countByBody(RoutingContext ctx, Principal principal) {
        return count(ctx, principal, bodyFilter(ctx));
    }

    private Future<ApiResponse> count(RoutingContext ctx, Principal principal, BsonDocument q) {
        return queries.count(principal, request(ctx, q), level(ctx))
                .map(count -> ApiResponse.json(200, JsonWriter.write(new BsonDocument("count", new BsonInt64(count)))));
    }

    private Future<ApiResponse> versions(RoutingContext ctx, Principal principal, QueryRequest request) {
        return queries.select(principal, request, level(ctx), result -> {
            BsonArray versions = new BsonArray(result.size());
            result.forEach(
                    object -> versions.add(new BsonDocument(object.ref().id(), new BsonInt64(object.version()))));
            return Future.succeededFuture(ApiResponse.json(200, JsonWriter.write(versions)));
        });
    }

    private static ReadLevel level(RoutingContext ctx) {
        return FreshnessDemand.of(ctx.request()).level();
    }

    private QueryRequest request(RoutingContext ctx, BsonDocument q) {
        return new QueryRequest(
                ObjectPathParser.bucket(ctx.request()),
                q,
                QueryParser.document(
                        "sort order", QueryParameters.text(ctx, "sort").orElse("")),
                QueryParameters.number(ctx, "start", 0, 0),
                QueryParameters.number(ctx, "count", -1, -1),
                form(QueryParameters.text(ctx, "ids").orElse("")),
                isPolymorphic(ctx));
    }

    private boolean isPolymorphic(RoutingContext ctx) {
        boolean isAsked = QueryParameters.flag(ctx, "polymorphic", queries.isPolymorphic());
        if (isAsked && !queries.isPolymorphic()) {
            SignedUrl.refuseMoreThanThePath(ctx.request());
        }
        return isAsked;
    }

    private static ResultForm form(String ids) {
        return switch (ids) {
            case "", "false" -> ResultForm.OBJECTS;
            case "true" -> ResultForm.IDS;
            case "auto" -> ResultForm.CHEAPER;
            default -> throw new ApiException(ErrorCode.BAD_REQUEST, "ids has to be true, false or auto: " + ids);
        };
    }

    private static BsonDocument bodyFilter(RoutingContext ctx) {
        RequestBodyParser.requireType(ctx, "text/plain", "application/json");
        return QueryParser.document("query", RequestBodyParser.text(ctx));
    }
}
