package io.orestes.http.admin;

import io.orestes.http.caller.RequestAuthenticator;
import io.orestes.http.protocol.ApiResponse;
import io.orestes.http.protocol.ApiRouter;
import io.orestes.json.JsonWriter;
import io.orestes.live.LiveQueryInspector;
import io.orestes.live.LiveQueryReport;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.Principal;
import io.orestes.wire.QueryParameters;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.time.InstantSource;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;

/** {@code /-/live-queries}: the live queries of this server, and their termination; for admins. */
public final class LiveQueryRoutes {

    private static final int DEFAULT_LIMIT = 50;
    private static final int MAX_LIMIT = 500;

    /**
     * Maximum length of an order or an aggregate, in characters; without it each may be as long as
     * a request.
     */
    private static final int MAX_TEXT_LENGTH = 2_000;

    private final RequestAuthenticator requestAuthenticator;
    private final LiveQueryInspector live;
    private final InstantSource clock = InstantSource.system();

    public LiveQueryRoutes(RequestAuthenticator requestAuthenticator, LiveQueryInspector live) {
        this.requestAuthenticator = requestAuthenticator;
        this.live = live;
    }

    public void mount(ApiRouter apiRouter) {
        apiRouter
                .get("/-/live-queries", requestAuthenticator.admin(this::list))
                .delete("/-/live-queries/:id", requestAuthenticator.admin(this::end));
    }

    private Future<ApiResponse> list(RoutingContext ctx, Principal admin) {
        int start = QueryParameters.number(ctx, "start", 0, 0);
        int count = QueryParameters.number(ctx, "count", DEFAULT_LIMIT, 0);
        if (count > MAX_LIMIT) {
            throw new ApiException(ErrorCode.BAD_REQUEST, "count is at most " + MAX_LIMIT + ": " + count);
        }
        return Future.succeededFuture(ApiResponse.json(200, JsonWriter.write(json(live.page(start, count)))));
    }

    private Future<ApiResponse> end(RoutingContext ctx, Principal admin) {
        String id = ctx.pathParam("id");
        if (!live.end(id)) {
            throw new ApiException(ErrorCode.OBJECT_NOT_FOUND, "There is no live query " + id + " (any more)");
        }
        return Future.succeededFuture(ApiResponse.empty(204));
    }

    private BsonDocument json(LiveQueryInspector.LiveQueryPage page) {
        return new BsonDocument("now", new BsonInt64(clock.millis()))
                .append("total", new BsonInt32(page.total()))
                .append("subscribers", new BsonInt32(page.subscribers()))
                .append("grid", json(page.grid()))
                .append(
                        "latency",
                        new BsonArray(page.latency().stream()
                                .map(LiveQueryRoutes::json)
                                .toList()))
                .append(
                        "queries",
                        new BsonArray(page.queries().stream()
                                .map(LiveQueryRoutes::json)
                                .toList()));
    }

    private static BsonDocument json(LiveQueryInspector.GridStatistics grid) {
        return new BsonDocument(
                        "queriesByRow",
                        new BsonArray(
                                grid.queriesByRow().stream().map(BsonInt32::new).toList()))
                .append(
                        "cells",
                        new BsonArray(grid.cells().stream()
                                .map(row -> new BsonArray(
                                        row.stream().map(LiveQueryRoutes::json).toList()))
                                .toList()));
    }

    private static BsonDocument json(LiveQueryInspector.CellStatistics cell) {
        return new BsonDocument("writes", new BsonInt64(cell.writes()))
                .append("evaluations", new BsonInt64(cell.evaluations()))
                .append("events", new BsonInt64(cell.events()));
    }

    /** Returns a bucket of latencies; JSON has no infinity. */
    private static BsonDocument json(LiveQueryInspector.LatencyCount bucket) {
        double bound = bucket.atMostMillis();
        return new BsonDocument("atMostMs", Double.isInfinite(bound) ? BsonNull.VALUE : new BsonDouble(bound))
                .append("count", new BsonInt64(bucket.count()));
    }

    private static BsonDocument json(LiveQueryReport query) {
        return new BsonDocument("id", new BsonString(query.id()))
                .append("class", new BsonString(query.bucket()))
                .append("kind", new BsonString(kind(query)))
                .append("filter", new BsonString(query.filter()))
                .append("aggregate", query.aggregate() == null ? BsonNull.VALUE : text(query.aggregate()))
                .append("window", query.window() == null ? BsonNull.VALUE : window(query.window()))
                .append("subscribers", new BsonInt32(query.subscribers()))
                .append("events", new BsonInt64(query.events()))
                .append("since", new BsonInt64(query.sinceMillis()));
    }

    private static String kind(LiveQueryReport query) {
        return query.window() != null ? "sorted" : query.aggregate() != null ? "aggregate" : "filter";
    }

    private static BsonValue window(LiveQueryReport.WindowState window) {
        return new BsonDocument("order", text(window.order()))
                .append("start", new BsonInt32(window.offset()))
                .append("count", new BsonInt32(window.limit()))
                .append("held", new BsonInt32(window.size()))
                .append("slack", new BsonInt32(window.slack()))
                .append("renewals", new BsonInt64(window.renewals()));
    }

    private static BsonValue text(String text) {
        return new BsonString(text.length() <= MAX_TEXT_LENGTH ? text : text.substring(0, MAX_TEXT_LENGTH - 1) + "…");
    }
}
