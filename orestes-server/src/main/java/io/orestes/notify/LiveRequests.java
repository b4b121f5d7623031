package io.orestes.notify;

import io.orestes.auth.Caller;
import io.orestes.model.ApiException;
import io.orestes.read.QueryParsing;
import io.orestes.schema.ClassOperation;
import io.orestes.schema.ClassSchema;
import io.orestes.schema.SchemaRegistry;
import java.util.Optional;

/** From what a subscriber sent to a request that can be opened: syntax and class permissions checked. */
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
            Caller caller,
            String bucket,
            String query,
            boolean initial,
            EventSelection selection,
            Optional<EventId> resumeAfter) {
        ClassSchema schema = schemas.current().entity(bucket);
        schema.require(ClassOperation.QUERY, caller.principal());
        return new LiveRequest(
                caller,
                bucket,
                parsing.filter(schema, QueryParsing.document("query", query)),
                initial,
                selection,
                resumeAfter);
    }
}
