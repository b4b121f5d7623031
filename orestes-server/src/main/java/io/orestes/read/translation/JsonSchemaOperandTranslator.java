package io.orestes.read.translation;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.schema.codec.FieldPathResolver;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * The translator of {@code $jsonSchema} operands from the fields of clients to those of stored
 * documents. Keywords that apply to all fields of an object are refused, because a stored document
 * has internal ones.
 */
final class JsonSchemaOperandTranslator {

    private static final Set<String> OF_ALL_FIELDS =
            Set.of("additionalProperties", "patternProperties", "minProperties", "maxProperties", "enum");

    private JsonSchemaOperandTranslator() {}

    static BsonValue translate(BsonValue schema) {
        if (schema instanceof BsonArray array) {
            return new BsonArray(
                    array.stream().map(JsonSchemaOperandTranslator::translate).toList());
        }
        if (!(schema instanceof BsonDocument document)) {
            return schema;
        }
        BsonDocument translated = new BsonDocument();
        document.forEach((keyword, operand) -> translated.put(keyword, operand(keyword, operand)));
        return translated;
    }

    private static BsonValue operand(String keyword, BsonValue operand) {
        if (OF_ALL_FIELDS.contains(keyword)) {
            throw new ApiException(
                    ErrorCode.QUERY_NOT_SUPPORTED, keyword + " is supported only inside the properties of a schema");
        }
        return switch (keyword) {
            case "allOf", "anyOf", "oneOf", "not" -> translate(operand);
            case "required" -> names(operand);
            case "properties" -> properties(operand);
            case "dependencies" -> dependencies(operand);
            default -> operand;
        };
    }

    private static BsonValue names(BsonValue names) {
        return names instanceof BsonArray array
                ? new BsonArray(
                        array.stream().map(JsonSchemaOperandTranslator::name).toList())
                : names;
    }

    private static BsonValue name(BsonValue name) {
        return name instanceof BsonString text ? new BsonString(FieldPathResolver.storedPath(text.getValue())) : name;
    }

    /** Translates the names of properties; their schemas apply to values and stay unchanged. */
    private static BsonValue properties(BsonValue properties) {
        if (!(properties instanceof BsonDocument document)) {
            return properties;
        }
        BsonDocument translated = new BsonDocument();
        document.forEach((name, schema) -> translated.put(FieldPathResolver.storedPath(name), schema));
        return translated;
    }

    private static BsonValue dependencies(BsonValue dependencies) {
        if (!(dependencies instanceof BsonDocument document)) {
            return dependencies;
        }
        BsonDocument translated = new BsonDocument();
        document.forEach((name, needed) -> translated.put(
                FieldPathResolver.storedPath(name), needed.isArray() ? names(needed) : translate(needed)));
        return translated;
    }
}
