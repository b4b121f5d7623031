package io.orestes.differential;

import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;

/** JSON schemas with all keywords. */
final class Schemas implements Family {

    private static final int DEPTH = 3;

    private static final List<String> KEYWORDS = List.of(
            "type",
            "bsonType",
            "enum",
            "allOf",
            "anyOf",
            "oneOf",
            "not",
            "minimum",
            "maximum",
            "multipleOf",
            "minLength",
            "maxLength",
            "pattern",
            "items",
            "minItems",
            "maxItems",
            "uniqueItems",
            "required",
            "properties",
            "properties",
            "properties",
            "patternProperties",
            "additionalProperties",
            "dependencies",
            "minProperties",
            "maxProperties",
            "title");

    private static final List<String> JSON_TYPES =
            List.of("object", "array", "string", "number", "boolean", "null", "integer");

    private static final List<String> BSON_TYPES =
            List.of("object", "array", "string", "number", "bool", "null", "int", "long", "double", "date", "regex");

    private final SeededRandom dice;
    private final Values values;

    Schemas(SeededRandom dice) {
        this.dice = dice;
        this.values = new Values(dice);
    }

    @Override
    public BsonDocument document() {
        return values.document(DEPTH);
    }

    @Override
    public BsonDocument filter() {
        BsonDocument schema = new BsonDocument("$jsonSchema", new BsonDocument("properties", properties(DEPTH)));
        return switch (dice.below(8)) {
            case 0 -> new BsonDocument("$nor", new BsonArray(List.of(schema)));
            case 1 -> new BsonDocument("$jsonSchema", schema(DEPTH));
            case 2 -> new BsonDocument("a", new BsonDocument("$elemMatch", schema));
            case 3 -> schema.append("b", values.value(0));
            default -> schema;
        };
    }

    private BsonDocument schema(int depth) {
        BsonDocument schema = new BsonDocument();
        int size = dice.below(3) + (depth > 0 ? 1 : 0);
        for (int i = 0; i < size; i++) {
            String keyword = dice.one(depth > 0 || dice.chance(50) ? KEYWORDS : KEYWORDS.subList(0, 3));
            schema.put(keyword, operand(keyword, depth));
            addCompanion(schema, keyword);
        }
        return schema;
    }

    private void addCompanion(BsonDocument schema, String keyword) {
        if (keyword.equals("minimum") && dice.chance(30)) {
            schema.put("exclusiveMinimum", BsonBoolean.valueOf(dice.chance(80)));
        } else if (keyword.equals("maximum") && dice.chance(30)) {
            schema.put("exclusiveMaximum", BsonBoolean.valueOf(dice.chance(80)));
        } else if (keyword.equals("items") && dice.chance(40)) {
            schema.put("additionalItems", dice.chance(70) ? BsonBoolean.FALSE : schema(0));
        } else if (keyword.equals("properties") && dice.chance(20)) {
            schema.put("additionalProperties", BsonBoolean.FALSE);
        }
    }

    private BsonValue operand(String keyword, int depth) {
        int less = Math.max(0, depth - 1);
        if (dice.chance(2)) {
            return values.value(1);
        }
        return switch (keyword) {
            case "type" -> type(JSON_TYPES);
            case "bsonType" -> type(BSON_TYPES);
            case "enum" -> dice.some(1, 4, () -> values.value(2));
            case "allOf", "anyOf", "oneOf" -> dice.some(1, 3, () -> schema(less));
            case "minimum", "maximum" -> dice.chance(70) ? new BsonInt32(dice.below(4) - 1) : values.number();
            case "multipleOf" ->
                dice.chance(80) ? new BsonDouble(dice.one(List.of(0.5, 0.1, 1.0, 2.0))) : values.number();
            case "pattern" -> new BsonString(dice.one(List.of("^a", "b", "B")));
            case "items" -> dice.chance(50) ? schema(less) : dice.some(0, 2, () -> schema(less));
            case "uniqueItems" -> BsonBoolean.valueOf(dice.chance(80));
            case "required" -> dice.some(1, 2, () -> new BsonString(values.field()));
            case "properties" -> properties(less);
            case "patternProperties" -> new BsonDocument(dice.one(List.of("^a", "[bc]", "\\d")), schema(less));
            case "additionalProperties" -> dice.chance(50) ? BsonBoolean.valueOf(dice.chance(30)) : schema(less);
            case "dependencies" ->
                new BsonDocument(
                        values.field(),
                        dice.chance(50) ? dice.some(1, 2, () -> new BsonString(values.field())) : schema(less));
            case "title" -> new BsonString("x");
            case "not" -> schema(less);
            default -> dice.chance(90) ? new BsonInt32(dice.below(4)) : values.number();
        };
    }

    private BsonValue type(List<String> names) {
        BsonString name = new BsonString(dice.one(names));
        return dice.chance(60) ? name : dice.some(1, 3, () -> new BsonString(dice.one(names)));
    }

    private BsonDocument properties(int depth) {
        BsonDocument properties = new BsonDocument();
        int size = dice.below(3) + 1;
        for (int i = 0; i < size; i++) {
            properties.put(values.field(), schema(Math.max(0, depth - 1)));
        }
        return properties;
    }
}
