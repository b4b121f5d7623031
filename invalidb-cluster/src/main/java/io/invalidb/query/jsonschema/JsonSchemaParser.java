package io.invalidb.query.jsonschema;

import io.invalidb.query.Excerpt;
import io.invalidb.query.QueryNotSupportedException;
import io.invalidb.query.QuerySyntaxException;
import io.invalidb.query.StepBudget;
import io.invalidb.query.regex.TextPattern;
import io.invalidb.query.value.BsonOrder;
import io.invalidb.query.value.ComparisonOperator;
import io.invalidb.query.value.LongConversion;
import io.invalidb.query.value.NumberOrder;
import io.invalidb.query.value.StepCost;
import io.invalidb.query.value.TypeNames;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonNumber;
import org.bson.BsonString;
import org.bson.BsonType;
import org.bson.BsonValue;

/** The parser for the schemas of {@code $jsonSchema}, keyword by keyword. */
public final class JsonSchemaParser {

    private static final int MAX_KEYWORDS = 10_000;

    /** Cost factor of sorting values over reading them. */
    private static final long SORT_COST_FACTOR = 10;

    /** JSON's names of types; integers are {@code bsonType: ["int", "long"]}. */
    private static final Map<String, String> JSON_TYPES = Map.of(
            "object", "object", "array", "array", "string", "string", "number", "number", "boolean", "bool", "null",
            "null");

    private int keywords = 0;
    private int patterns = 0;

    private JsonSchemaParser() {}

    /** Parses a schema; the caller checks the depth. */
    public static JsonSchema parse(BsonValue operand) {
        return new JsonSchemaParser().schema("$jsonSchema", operand);
    }

    private JsonSchema schema(String keyword, BsonValue value) {
        if (!(value instanceof BsonDocument document)) {
            throw malformed(keyword, "an object");
        }
        requireTogether(document);
        List<JsonSchema.Rule> rules = new ArrayList<>();
        new TreeMap<>(document).forEach((name, operand) -> {
            if (++keywords > MAX_KEYWORDS) {
                throw new QueryNotSupportedException("A schema has at most " + MAX_KEYWORDS + " keywords");
            }
            if (name.equals("title") || name.equals("description")) {
                String unused = text(name, operand);
            } else {
                rules.add(rule(name, operand, document));
            }
        });
        return new JsonSchema(List.copyOf(rules), JsonSchemaNormalForm.of(document));
    }

    private static void requireTogether(BsonDocument schema) {
        if (schema.containsKey("type") && schema.containsKey("bsonType")) {
            throw new QuerySyntaxException("A schema has either type or bsonType");
        }
        Map.of("exclusiveMinimum", "minimum", "exclusiveMaximum", "maximum").forEach((name, needed) -> {
            if (schema.containsKey(name) && !schema.containsKey(needed)) {
                throw new QuerySyntaxException(name + " needs " + needed + " beside it");
            }
        });
    }

    private JsonSchema.Rule rule(String name, BsonValue operand, BsonDocument schema) {
        return switch (name) {
            case "type", "bsonType" -> type(name, operand);
            case "enum" -> oneOf(operand);
            case "allOf", "anyOf", "oneOf", "not" -> junction(name, operand);
            case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf" ->
                number(name, operand, schema);
            case "minLength", "maxLength", "pattern" -> limitedText(name, operand);
            case "items", "additionalItems", "minItems", "maxItems", "uniqueItems" -> array(name, operand, schema);
            default -> object(name, operand, schema);
        };
    }

    private static JsonSchema.Rule type(String name, BsonValue operand) {
        List<String> names = operand instanceof BsonArray array
                ? array.stream().map(element -> text(name, element)).toList()
                : List.of(text(name, operand));
        if (names.isEmpty() || new HashSet<>(names).size() < names.size()) {
            throw malformed(name, "names of types, each once");
        }
        EnumSet<BsonType> types = EnumSet.noneOf(BsonType.class);
        names.forEach(type -> types.addAll(TypeNames.parse(new BsonString(name.equals("type") ? json(type) : type))));
        return (value, stepBudget) -> types.contains(value.getBsonType());
    }

    private static String json(String type) {
        String known = JSON_TYPES.get(type);
        if (known == null) {
            throw malformed("type", "object, array, string, number, boolean or null");
        }
        return known;
    }

    private static JsonSchema.Rule oneOf(BsonValue operand) {
        BsonArray values = elements("enum", operand);
        Set<BsonValue> unordered = unordered(values);
        if (unordered.size() < values.size()) {
            throw malformed("enum", "values that differ");
        }
        return (value, stepBudget) -> {
            stepBudget.spend(SORT_COST_FACTOR * StepCost.of(value));
            return unordered.contains(withSortedFields(value));
        };
    }

    private static Set<BsonValue> unordered(BsonArray values) {
        Set<BsonValue> unordered = new TreeSet<>(BsonOrder.INSTANCE);
        values.forEach(value -> unordered.add(withSortedFields(value)));
        return unordered;
    }

    /** Returns the value with sorted fields: only in schemas the order of fields is irrelevant. */
    private static BsonValue withSortedFields(BsonValue value) {
        if (value instanceof BsonDocument document) {
            BsonDocument sorted = new BsonDocument();
            new TreeMap<>(document).forEach((name, field) -> sorted.put(name, withSortedFields(field)));
            return sorted;
        }
        return value instanceof BsonArray array
                ? new BsonArray(
                        array.stream().map(JsonSchemaParser::withSortedFields).toList())
                : value;
    }

    private JsonSchema.Rule junction(String name, BsonValue operand) {
        if (name.equals("not")) {
            JsonSchema negated = schema(name, operand);
            return (value, stepBudget) -> !negated.accepts(value, stepBudget);
        }
        List<JsonSchema> parts =
                elements(name, operand).stream().map(part -> schema(name, part)).toList();
        return switch (name) {
            case "allOf" -> (value, stepBudget) -> parts.stream().allMatch(part -> part.accepts(value, stepBudget));
            case "anyOf" -> (value, stepBudget) -> parts.stream().anyMatch(part -> part.accepts(value, stepBudget));
            default ->
                (value, stepBudget) -> parts.stream()
                                .filter(part -> part.accepts(value, stepBudget))
                                .count()
                        == 1;
        };
    }

    private static JsonSchema.Rule number(String name, BsonValue operand, BsonDocument schema) {
        return switch (name) {
            case "minimum" ->
                bound(
                        name,
                        isTrue("exclusiveMinimum", schema)
                                ? ComparisonOperator.GREATER
                                : ComparisonOperator.GREATER_OR_EQUAL,
                        operand);
            case "maximum" ->
                bound(
                        name,
                        isTrue("exclusiveMaximum", schema) ? ComparisonOperator.LESS : ComparisonOperator.LESS_OR_EQUAL,
                        operand);
            case "multipleOf" -> multipleOf(operand);
            default -> (value, stepBudget) -> true;
        };
    }

    private static JsonSchema.Rule bound(String name, ComparisonOperator comparisonOperator, BsonValue operand) {
        BsonNumber limit = number(name, operand);
        return (value, stepBudget) ->
                !(value instanceof BsonNumber number) || comparisonOperator.isSatisfiedBy(number, limit);
    }

    private static BsonNumber number(String name, BsonValue operand) {
        if (operand instanceof BsonNumber number) {
            return number;
        }
        throw malformed(name, "a number");
    }

    private static boolean isTrue(String name, BsonDocument schema) {
        BsonValue value = schema.get(name, BsonBoolean.FALSE);
        if (value instanceof BsonBoolean bool) {
            return bool.getValue();
        }
        throw malformed(name, "true or false");
    }

    private static JsonSchema.Rule multipleOf(BsonValue operand) {
        BsonNumber divisor = number("multipleOf", operand);
        if (!NumberOrder.isFinite(divisor)) {
            throw new QueryNotSupportedException("multipleOf is not supported for infinite numbers");
        }
        if (NumberOrder.exact(divisor).signum() <= 0) {
            throw malformed("multipleOf", "a number greater than 0");
        }
        BigDecimal step = decimal(divisor);
        if (Math.abs(step.precision() - step.scale()) > 40) {
            throw new QueryNotSupportedException("multipleOf is not supported for numbers of that size");
        }
        return (value, stepBudget) -> !(value instanceof BsonNumber number) || isMultiple(number, step);
    }

    private static boolean isMultiple(BsonNumber number, BigDecimal step) {
        return NumberOrder.isFinite(number) && decimal(number).remainder(step).signum() == 0;
    }

    /** Returns the decimal value; doubles count by their first 15 digits, as in MongoDB. */
    private static BigDecimal decimal(BsonNumber number) {
        BigDecimal exact = NumberOrder.exact(number);
        return number instanceof BsonDouble ? exact.round(new MathContext(15, RoundingMode.HALF_EVEN)) : exact;
    }

    private JsonSchema.Rule limitedText(String name, BsonValue operand) {
        if (name.equals("pattern")) {
            TextPattern pattern = pattern(text(name, operand));
            return (value, stepBudget) -> !(value instanceof BsonString) || pattern.isFoundIn(value, stepBudget);
        }
        long limit = count(name, operand);
        return name.equals("minLength")
                ? (value, stepBudget) -> !(value instanceof BsonString text) || length(text, stepBudget) >= limit
                : (value, stepBudget) -> !(value instanceof BsonString text) || length(text, stepBudget) <= limit;
    }

    private TextPattern pattern(String pattern) {
        if (++patterns > 100) {
            throw new QueryNotSupportedException("A schema has at most 100 regular expressions");
        }
        return TextPattern.of(pattern, "");
    }

    private static int length(BsonString text, StepBudget stepBudget) {
        stepBudget.spend(StepCost.of(text));
        return text.getValue().codePointCount(0, text.getValue().length());
    }

    private JsonSchema.Rule array(String name, BsonValue operand, BsonDocument schema) {
        return onType(
                BsonArray.class,
                switch (name) {
                    case "items" -> items(operand);
                    case "additionalItems" -> additionalItems(operand, schema);
                    case "minItems" -> atLeast(count(name, operand));
                    case "maxItems" -> atMost(count(name, operand));
                    default -> unique(isTrue(name, schema));
                });
    }

    private static BiPredicate<BsonArray, StepBudget> atLeast(long limit) {
        return (array, stepBudget) -> array.size() >= limit;
    }

    private static BiPredicate<BsonArray, StepBudget> atMost(long limit) {
        return (array, stepBudget) -> array.size() <= limit;
    }

    private static BiPredicate<BsonArray, StepBudget> unique(boolean wanted) {
        return (array, stepBudget) -> {
            stepBudget.spend(wanted ? SORT_COST_FACTOR * StepCost.of(array) : 0);
            return !wanted || unordered(array).size() == array.size();
        };
    }

    private BiPredicate<BsonArray, StepBudget> items(BsonValue operand) {
        if (operand instanceof BsonArray positions) {
            List<JsonSchema> each =
                    positions.stream().map(part -> schema("items", part)).toList();
            return (array, stepBudget) -> {
                for (int i = 0; i < Math.min(each.size(), array.size()); i++) {
                    if (!each.get(i).accepts(array.get(i), stepBudget)) {
                        return false;
                    }
                }
                return true;
            };
        }
        JsonSchema all = schema("items", operand);
        return (array, stepBudget) -> array.stream().allMatch(element -> all.accepts(element, stepBudget));
    }

    private BiPredicate<BsonArray, StepBudget> additionalItems(BsonValue operand, BsonDocument schema) {
        JsonSchema.Rule rule = allowed("additionalItems", operand);
        if (!(schema.get("items") instanceof BsonArray positions)) {
            return (array, stepBudget) -> true;
        }
        return (array, stepBudget) ->
                array.stream().skip(positions.size()).allMatch(element -> rule.accepts(element, stepBudget));
    }

    private JsonSchema.Rule allowed(String name, BsonValue operand) {
        if (operand instanceof BsonBoolean bool) {
            return (value, stepBudget) -> bool.getValue();
        }
        JsonSchema schema = schema(name, operand);
        return schema::accepts;
    }

    private JsonSchema.Rule object(String name, BsonValue operand, BsonDocument schema) {
        return onType(
                BsonDocument.class,
                switch (name) {
                    case "required" -> required(operand);
                    case "properties" -> properties(operand);
                    case "patternProperties" -> patternProperties(operand);
                    case "additionalProperties" -> additionalProperties(operand, schema);
                    case "dependencies" -> dependencies(operand);
                    case "minProperties" -> hasAtLeast(count(name, operand));
                    case "maxProperties" -> hasAtMost(count(name, operand));
                    default -> throw new QuerySyntaxException("A schema has no keyword " + Excerpt.of(name));
                });
    }

    private static BiPredicate<BsonDocument, StepBudget> hasAtLeast(long limit) {
        return (document, stepBudget) -> document.size() >= limit;
    }

    private static BiPredicate<BsonDocument, StepBudget> hasAtMost(long limit) {
        return (document, stepBudget) -> document.size() <= limit;
    }

    private static BiPredicate<BsonDocument, StepBudget> required(BsonValue operand) {
        List<String> names = names("required", operand);
        return (document, stepBudget) -> {
            stepBudget.spend(names.size());
            return document.keySet().containsAll(names);
        };
    }

    private static List<String> names(String keyword, BsonValue operand) {
        List<String> names = elements(keyword, operand).stream()
                .map(name -> text(keyword, name))
                .toList();
        if (new HashSet<>(names).size() < names.size()) {
            throw malformed(keyword, "names that differ");
        }
        return names;
    }

    private BiPredicate<BsonDocument, StepBudget> properties(BsonValue operand) {
        Map<String, JsonSchema> schemas = new TreeMap<>();
        document("properties", operand).forEach((name, part) -> schemas.put(name, schema("properties", part)));
        return (document, stepBudget) -> schemas.entrySet().stream().allMatch(entry -> {
            stepBudget.spend(1);
            BsonValue value = document.get(entry.getKey());
            return value == null || entry.getValue().accepts(value, stepBudget);
        });
    }

    private BiPredicate<BsonDocument, StepBudget> patternProperties(BsonValue operand) {
        List<Map.Entry<TextPattern, JsonSchema>> schemas = new ArrayList<>();
        document("patternProperties", operand)
                .forEach((name, part) -> schemas.add(Map.entry(pattern(name), schema("patternProperties", part))));
        return (document, stepBudget) -> fields(document, stepBudget).allMatch(field -> schemas.stream()
                .allMatch(entry -> !entry.getKey().isFoundIn(new BsonString(field.getKey()), stepBudget)
                        || entry.getValue().accepts(field.getValue(), stepBudget)));
    }

    private BiPredicate<BsonDocument, StepBudget> additionalProperties(BsonValue operand, BsonDocument schema) {
        JsonSchema.Rule rule = allowed("additionalProperties", operand);
        Set<String> known = document("properties", schema.get("properties", new BsonDocument()))
                .keySet();
        List<TextPattern> patterns =
                document("patternProperties", schema.get("patternProperties", new BsonDocument())).keySet().stream()
                        .map(this::pattern)
                        .toList();
        return (document, stepBudget) -> fields(document, stepBudget)
                .filter(field -> !known.contains(field.getKey()))
                .filter(field -> patterns.stream()
                        .noneMatch(pattern -> pattern.isFoundIn(new BsonString(field.getKey()), stepBudget)))
                .allMatch(field -> rule.accepts(field.getValue(), stepBudget));
    }

    private static Stream<Map.Entry<String, BsonValue>> fields(BsonDocument document, StepBudget stepBudget) {
        stepBudget.spend(document.size());
        return document.entrySet().stream();
    }

    private BiPredicate<BsonDocument, StepBudget> dependencies(BsonValue operand) {
        Map<String, JsonSchema.Rule> rules = new TreeMap<>();
        document("dependencies", operand).forEach((name, part) -> rules.put(name, dependency(part)));
        return (document, stepBudget) -> rules.entrySet().stream().allMatch(entry -> {
            stepBudget.spend(1);
            return !document.containsKey(entry.getKey()) || entry.getValue().accepts(document, stepBudget);
        });
    }

    private JsonSchema.Rule dependency(BsonValue part) {
        if (part instanceof BsonArray) {
            List<String> names = names("dependencies", part);
            return (value, stepBudget) -> {
                stepBudget.spend(names.size());
                return value.asDocument().keySet().containsAll(names);
            };
        }
        JsonSchema schema = schema("dependencies", part);
        return schema::accepts;
    }

    private static <T extends BsonValue> JsonSchema.Rule onType(Class<T> type, BiPredicate<T, StepBudget> rule) {
        return (value, stepBudget) -> !type.isInstance(value) || rule.test(type.cast(value), stepBudget);
    }

    private static BsonDocument document(String keyword, BsonValue operand) {
        if (operand instanceof BsonDocument document) {
            return document;
        }
        throw malformed(keyword, "an object");
    }

    private static BsonArray elements(String keyword, BsonValue operand) {
        if (operand instanceof BsonArray array && !array.isEmpty()) {
            return array;
        }
        throw malformed(keyword, "an array that is not empty");
    }

    private static String text(String keyword, BsonValue operand) {
        if (operand instanceof BsonString text) {
            return text.getValue();
        }
        throw malformed(keyword, "text");
    }

    private static long count(String keyword, BsonValue operand) {
        long count = operand instanceof BsonNumber number
                ? LongConversion.exact(number).orElse(-1)
                : -1;
        if (count < 0) {
            throw malformed(keyword, "an integer that is not negative");
        }
        return count;
    }

    private static QuerySyntaxException malformed(String keyword, String expected) {
        return new QuerySyntaxException("In a schema, " + Excerpt.of(keyword) + " takes " + expected);
    }
}
