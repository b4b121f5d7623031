package io.orestes.read.query;

import io.invalidb.aggregation.AggregateSpec;
import io.invalidb.query.filter.Filter;
import io.invalidb.query.sort.SortOrder;
import io.orestes.json.JsonReader;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.read.translation.QueryTranslator;
import io.orestes.schema.SchemaRegistry;
import io.orestes.schema.model.ClassSchema;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** The parser of client queries into filters, sort orders and aggregates over stored objects. */
public final class QueryParser {

    private final SchemaRegistry schemas;

    public QueryParser(SchemaRegistry schemas) {
        this.schemas = schemas;
    }

    /**
     * Parses the JSON text of a filter or sort order; blank text is the empty one. Text that is no
     * JSON object is a syntax error of the query language, not a malformed request (protocol §2).
     *
     * @param what its name in messages
     */
    public static BsonDocument document(String what, String text) {
        BsonValue value = text.isBlank() ? new BsonDocument() : read(what, text);
        if (!value.isDocument()) {
            throw new ApiException(ErrorCode.SYNTAX_ERROR, "The " + what + " has to be a JSON object");
        }
        return value.asDocument();
    }

    /**
     * Parses a filter. Fails with {@code SYNTAX_ERROR} if it is malformed, with {@code
     * QUERY_NOT_SUPPORTED} if it cannot be run.
     */
    public Filter filter(ClassSchema schema, BsonDocument q) {
        return new QueryTranslator(schemas.current(), schema).filter(q);
    }

    /** Parses a sort order. Fails with {@code SYNTAX_ERROR} if it is malformed. */
    public SortOrder sort(ClassSchema schema, BsonDocument sort) {
        return new QueryTranslator(schemas.current(), schema).sort(sort);
    }

    /**
     * Parses an aggregate. Fails with {@code SYNTAX_ERROR} if it is malformed or names an unknown
     * field of the class, with {@code QUERY_NOT_SUPPORTED} if it cannot be computed.
     */
    public AggregateSpec aggregate(ClassSchema schema, BsonDocument aggregate) {
        return new QueryTranslator(schemas.current(), schema).aggregate(aggregate);
    }

    private static BsonValue read(String what, String text) {
        try {
            return JsonReader.read(text);
        } catch (ApiException malformed) {
            throw new ApiException(ErrorCode.SYNTAX_ERROR, "The " + what + " is malformed: " + malformed.message());
        }
    }
}
