package io.orestes.store.mongo.read;

import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** A detector of filters that depend on all fields of a document, including hidden ones. */
final class WholeDocumentFilterDetector {

    private static final Set<String> SCHEMA_WORDS =
            Set.of("additionalProperties", "patternProperties", "minProperties", "maxProperties");

    private static final Set<String> VARIABLES = Set.of("$$ROOT", "$$CURRENT");

    private WholeDocumentFilterDetector() {}

    /**
     * True if a filter may depend on hidden fields; a variable followed by the name of a field does
     * not.
     */
    static boolean dependsOnWholeDocument(BsonValue filter) {
        if (filter.isDocument()) {
            BsonDocument document = filter.asDocument();
            return document.keySet().stream().anyMatch(SCHEMA_WORDS::contains)
                    || document.values().stream().anyMatch(WholeDocumentFilterDetector::dependsOnWholeDocument);
        }
        if (filter.isArray()) {
            return filter.asArray().stream().anyMatch(WholeDocumentFilterDetector::dependsOnWholeDocument);
        }
        return filter.isString() && VARIABLES.contains(filter.asString().getValue());
    }
}
