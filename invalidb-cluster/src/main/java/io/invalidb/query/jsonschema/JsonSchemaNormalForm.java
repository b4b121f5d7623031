package io.invalidb.query.jsonschema;

import io.invalidb.query.value.CanonicalValue;
import java.util.TreeMap;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/**
 * The normal form of JSON schemas, independent of the order of keywords and names. It has neither
 * titles nor descriptions.
 */
final class JsonSchemaNormalForm {

    private JsonSchemaNormalForm() {}

    static BsonDocument of(BsonDocument schema) {
        BsonDocument form = new BsonDocument();
        new TreeMap<>(schema).forEach((keyword, operand) -> {
            if (!keyword.equals("title") && !keyword.equals("description")) {
                form.put(keyword, of(keyword, operand));
            }
        });
        return form;
    }

    private static BsonValue of(String keyword, BsonValue operand) {
        return switch (keyword) {
            case "properties", "patternProperties", "dependencies" -> named(operand);
            case "not", "items", "additionalItems", "additionalProperties", "allOf", "anyOf", "oneOf" ->
                nested(operand);
            case "multipleOf" -> operand; // For doubles it counts 15 digits, so types are not exchanged.
            default -> CanonicalValue.of(operand);
        };
    }

    private static BsonValue named(BsonValue operand) {
        if (!(operand instanceof BsonDocument schemas)) {
            return operand;
        }
        BsonDocument forms = new BsonDocument();
        new TreeMap<>(schemas).forEach((name, schema) -> forms.put(name, nested(schema)));
        return forms;
    }

    private static BsonValue nested(BsonValue operand) {
        if (operand instanceof BsonArray schemas) {
            return new BsonArray(
                    schemas.stream().map(JsonSchemaNormalForm::nested).toList());
        }
        return operand instanceof BsonDocument schema ? of(schema) : operand;
    }
}
