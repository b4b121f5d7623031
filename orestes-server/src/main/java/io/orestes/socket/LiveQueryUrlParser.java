package io.orestes.socket;

import io.orestes.live.request.UnparsedLiveQuery;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.wire.QueryParameters;
import io.vertx.ext.web.RoutingContext;

/** The parser of a live query from the query parameters of a URL. */
public final class LiveQueryUrlParser {

    private LiveQueryUrlParser() {}

    /**
     * Parses a live query. The values by which pull queries omit start and count ask for no order
     * either. Fails with {@code BAD_REQUEST} on malformed numbers, and with {@code
     * QUERY_NOT_SUPPORTED} for a query of several classes.
     */
    public static UnparsedLiveQuery read(RoutingContext ctx) {
        if (QueryParameters.flag(ctx, "polymorphic", false)) {
            throw new ApiException(ErrorCode.QUERY_NOT_SUPPORTED, "A live query is about one class");
        }
        int start = QueryParameters.number(ctx, "start", 0, 0);
        int count = QueryParameters.number(ctx, "count", -1, -1);
        return new UnparsedLiveQuery(
                QueryParameters.text(ctx, "q").orElse(""),
                QueryParameters.text(ctx, "sort").orElse(""),
                start == 0 ? null : start,
                count == -1 ? null : count,
                QueryParameters.text(ctx, "aggregate").orElse(""));
    }
}
