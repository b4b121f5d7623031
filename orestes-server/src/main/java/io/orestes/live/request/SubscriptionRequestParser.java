package io.orestes.live.request;

import io.invalidb.aggregation.AggregateSpec;
import io.invalidb.query.filter.Filter;
import io.invalidb.query.sort.SortOrder;
import io.invalidb.sorting.WindowSpec;
import io.orestes.auth.token.Caller;
import io.orestes.live.event.EventSelection;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.Principal;
import io.orestes.read.query.QueryParser;
import io.orestes.schema.SchemaRegistry;
import io.orestes.schema.model.ClassOperation;
import io.orestes.schema.model.ClassSchema;
import java.util.List;
import java.util.Optional;

/**
 * The parser of subscription requests, which checks their syntax and the caller's permission on the
 * class.
 */
public final class SubscriptionRequestParser {

    private final SchemaRegistry schemas;
    private final QueryParser parsing;
    private final int maxWindow;

    public SubscriptionRequestParser(SchemaRegistry schemas, QueryParser parsing, LiveConfig config) {
        this.schemas = schemas;
        this.parsing = parsing;
        this.maxWindow = config.maxWindow();
    }

    /**
     * Parses a subscription and checks the caller's permission.
     *
     * @param query parameters as sent
     * @throws ApiException {@code BUCKET_NOT_FOUND}, {@code PERMISSION_DENIED},
     *     {@code SYNTAX_ERROR} or {@code QUERY_NOT_SUPPORTED}
     */
    public SubscriptionRequest parse(
            Caller caller, String bucket, UnparsedLiveQuery query, SubscriptionOptions options) {
        schemas.current().entity(bucket).require(ClassOperation.QUERY, caller.principal());
        return read(caller, bucket, query, options);
    }

    /**
     * Parses a request of any principal, permitted or not; otherwise fails as {@link #parse} does.
     */
    public SubscriptionRequest parseUnchecked(Principal principal, String bucket, UnparsedLiveQuery query) {
        EventSelection all = EventSelection.of(List.of(), List.of());
        return read(new Caller(principal), bucket, query, new SubscriptionOptions(true, all, null));
    }

    private SubscriptionRequest read(
            Caller caller, String bucket, UnparsedLiveQuery query, SubscriptionOptions options) {
        ClassSchema schema = schemas.current().entity(bucket);
        Filter filter = parsing.filter(schema, QueryParser.document("query", query.filter()));
        return new SubscriptionRequest(
                caller,
                bucket,
                filter,
                window(schema, filter, query).orElse(null),
                aggregate(schema, query).orElse(null),
                options);
    }

    private Optional<AggregateSpec> aggregate(ClassSchema schema, UnparsedLiveQuery query) {
        if (!query.isAggregate()) {
            return Optional.empty();
        }
        if (query.isOrdered()) {
            throw new ApiException(
                    ErrorCode.QUERY_NOT_SUPPORTED, "A live aggregate has no sort order, offset or limit");
        }
        return Optional.of(parsing.aggregate(schema, QueryParser.document("aggregate", query.aggregate())));
    }

    /**
     * Returns the window. The results of a query for the nearest objects are in that order, unless
     * it requests another one.
     */
    private Optional<WindowSpec> window(ClassSchema schema, Filter filter, UnparsedLiveQuery query) {
        SortOrder given = parsing.sort(schema, QueryParser.document("sort", query.sort()));
        Optional<SortOrder> nearest =
                query.isSorted() || query.isAggregate() ? Optional.empty() : SortOrder.nearest(filter);
        return query.isOrdered() || nearest.isPresent()
                ? Optional.of(window(nearest.orElse(given), query))
                : Optional.empty();
    }

    private WindowSpec window(SortOrder order, UnparsedLiveQuery query) {
        int offset = query.offset() == null ? 0 : query.offset();
        if (offset >= maxWindow) {
            throw new ApiException(
                    ErrorCode.QUERY_NOT_SUPPORTED, "The offset of a live query has to be less than " + maxWindow);
        }
        int rest = maxWindow - offset;
        return new WindowSpec(order, offset, query.limit() == null ? rest : Math.min(query.limit(), rest));
    }
}
