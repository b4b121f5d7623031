package io.orestes.store.mongo.read;

import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** A detector of filters that depend on all fields of a document, including hidden ones. */
final class WholeDocumentFilters {

    private static final Set<String> SCHEMA_WORDS =
            Set.of("additionalProperties", "patternProperties", "minProperties", "maxProperties");

    private static final Set<String> VARIABLES = Set.of("$$ROOT", "$$CURRENT");

    private WholeDocumentFilters() {}

    /**
     * True if a filter may depend on hidden fields; a variable followed by the name of a field does
     * not.
     */
    static boolean areSeenBy(BsonValue filter) {
        if (filter.isDocument()) {
            BsonDocument document = filter.asDocument();
            return document.keySet().stream().anyMatch(SCHEMA_WORDS::contains)
                    || document.values().stream().anyMatch(WholeDocumentFilters::areSeenBy);
        }
        if (filter.isArray()) {
            return filter.asArray().stream().anyMatch(WholeDocumentFilters::areSeenBy);
        }
        return filter.isString() && VARIABLES.contains(filter.asString().getValue());
    }
}
