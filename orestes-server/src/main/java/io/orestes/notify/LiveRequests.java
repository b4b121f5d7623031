package io.orestes.notify;

import io.invalidb.query.Filter;
import io.orestes.auth.AccessControl;
import io.orestes.model.ApiException;
import io.orestes.model.Principal;
import io.orestes.read.QueryParsing;
import io.orestes.schema.ClassOperation;
import io.orestes.schema.ClassSchema;
import io.orestes.schema.SchemaRegistry;
import java.util.Optional;

/** From what a subscriber sent to a request that can be opened: permissions checked, the caller's rights joined in. */
public final class LiveRequests {

    private final SchemaRegistry schemas;
    private final QueryParsing parsing;

    public LiveRequests(SchemaRegistry schemas, QueryParsing parsing) {
        this.schemas = schemas;
        this.parsing = parsing;
    }

    /**
     * Reads a subscription.
     *
     * @param query the filter as JSON text; blank for everything
     * @throws ApiException {@code BUCKET_NOT_FOUND}, {@code PERMISSION_DENIED}, {@code SYNTAX_ERROR} or
     *     {@code QUERY_NOT_SUPPORTED}
     */
    public LiveRequest parse(
            Principal principal,
            String bucket,
            String query,
            boolean initial,
            EventSelection selection,
            Optional<EventId> resumeAfter) {
        ClassSchema schema = schemas.current().entity(bucket);
        schema.require(ClassOperation.QUERY, principal);
        return new LiveRequest(
                bucket,
                parsing.filter(schema, QueryParsing.document("query", query)),
                AccessControl.readCondition(principal).orElse(Filter.ALL),
                initial,
                selection,
                resumeAfter);
    }
}
