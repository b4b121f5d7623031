package io.invalidb.query.filter;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonDecimal128;
import org.bson.BsonDocument;
import org.bson.BsonNumber;
import org.bson.BsonRegularExpression;
import org.bson.BsonSymbol;
import org.bson.BsonType;
import org.bson.BsonUndefined;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * A second implementation of MongoDB's semantics on the raw filter, slow and naive: it lists all
 * values at a path first, then tests them. It shares no code with the classes under test.
 */
final class FilterOracle {

    private FilterOracle() {}

    static boolean matches(BsonDocument filter, BsonDocument document) {
        return filter.entrySet().stream().allMatch(part -> part(part.getKey(), part.getValue(), document));
    }

    private static boolean part(String name, BsonValue value, BsonDocument document) {
        return switch (name) {
            case "$and" -> value.asArray().stream().allMatch(clause -> matches(clause.asDocument(), document));
            case "$or" -> value.asArray().stream().anyMatch(clause -> matches(clause.asDocument(), document));
            case "$nor" -> value.asArray().stream().noneMatch(clause -> matches(clause.asDocument(), document));
            default -> atPath(new Place(List.of(name.split("\\.")), document), value);
        };
    }

    private static boolean atPath(Place place, BsonValue condition) {
        if (isOperators(condition)) {
            return condition.asDocument().entrySet().stream()
                    .allMatch(operator -> operator(operator.getKey(), operator.getValue(), place));
        }
        return condition.isRegularExpression()
                ? operator("$regex", condition, place)
                : operator("$eq", condition, place);
    }

    private static boolean isOperators(BsonValue value) {
        return value instanceof BsonDocument document
                && !document.isEmpty()
                && document.getFirstKey().startsWith("$");
    }

    private static boolean operator(String name, BsonValue operand, Place place) {
        return switch (name) {
            case "$ne" -> !operator("$eq", operand, place);
            case "$nin" -> !operator("$in", operand, place);
            case "$not" -> !atPath(place, operand);
            case "$all" ->
                !operand.asArray().isEmpty() && operand.asArray().stream().allMatch(element -> atPath(place, element));
            case "$exists" ->
                place.values(true).stream().anyMatch(value -> value != null)
                        == operand.asBoolean().getValue();
            case "$size", "$elemMatch" -> place.values(false).stream().anyMatch(single(name, operand));
            default -> place.values(true).stream().anyMatch(single(name, operand));
        };
    }

    /** Returns the test of a single value; absent values are null. */
    private static Predicate<@Nullable BsonValue> single(String name, BsonValue operand) {
        return switch (name) {
            case "$eq" -> value -> compare(defined(value), operand) == 0;
            case "$gt" -> value -> relates(value, operand, false) && compare(defined(value), operand) > 0;
            case "$gte" -> value -> relates(value, operand, true) && compare(defined(value), operand) >= 0;
            case "$lt" -> value -> relates(value, operand, false) && compare(defined(value), operand) < 0;
            case "$lte" -> value -> relates(value, operand, true) && compare(defined(value), operand) <= 0;
            case "$in" -> value -> operand.asArray().stream().anyMatch(element -> isIn(value, element));
            case "$regex" -> value -> isFound(value, operand.asRegularExpression());
            case "$type" -> value -> value != null && operand.asArray().stream().anyMatch(type -> isType(value, type));
            case "$size" ->
                value -> value instanceof BsonArray array
                        && array.size() == operand.asNumber().intValue();
            case "$mod" -> value -> value instanceof BsonNumber number && leaves(number, operand.asArray());
            case "$elemMatch" ->
                value -> value instanceof BsonArray array
                        && array.stream().anyMatch(element -> element(element, operand.asDocument()));
            default -> negated(name, operand);
        };
    }

    private static Predicate<@Nullable BsonValue> negated(String name, BsonValue operand) {
        return switch (name) {
            case "$ne" -> value -> !single("$eq", operand).test(value);
            case "$nin" -> value -> !single("$in", operand).test(value);
            case "$not" -> value -> !alone(value, operand.asDocument());
            case "$exists" -> value -> operand.asBoolean().getValue();
            case "$all" ->
                value -> !operand.asArray().isEmpty()
                        && operand.asArray().stream().allMatch(element -> inAll(value, element));
            default -> throw new AssertionError(name);
        };
    }

    private static boolean inAll(@Nullable BsonValue value, BsonValue element) {
        if (isOperators(element)) {
            return alone(value, element.asDocument());
        }
        return single(element.isRegularExpression() ? "$regex" : "$eq", element).test(value);
    }

    private static boolean alone(@Nullable BsonValue value, BsonDocument operators) {
        return operators.entrySet().stream().allMatch(operator -> single(operator.getKey(), operator.getValue())
                .test(value));
    }

    private static boolean element(BsonValue element, BsonDocument condition) {
        boolean operators =
                isOperators(condition) && !List.of("$and", "$or", "$nor").contains(condition.getFirstKey());
        if (operators) {
            return alone(element, condition);
        }
        return element instanceof BsonDocument document
                ? matches(condition, document)
                : element instanceof BsonArray array && matches(condition, byPosition(array));
    }

    private static BsonDocument byPosition(BsonArray array) {
        BsonDocument document = new BsonDocument();
        array.forEach(element -> document.put(String.valueOf(document.size()), element));
        return document;
    }

    private static boolean isIn(@Nullable BsonValue value, BsonValue element) {
        return element instanceof BsonRegularExpression regex
                ? isFound(value, regex)
                : compare(defined(value), element) == 0;
    }

    private static boolean isFound(@Nullable BsonValue value, BsonRegularExpression regex) {
        String options = regex.getOptions();
        int flags = (options.contains("i") ? Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE : 0)
                | (options.contains("m") ? Pattern.MULTILINE : 0)
                | (options.contains("s") ? Pattern.DOTALL : 0)
                | (options.contains("x") ? Pattern.COMMENTS : 0);
        if (value instanceof BsonRegularExpression) {
            return value.equals(regex);
        }
        return value != null
                && (value.isString() || value.isSymbol())
                && Pattern.compile(regex.getPattern(), flags)
                        .matcher(text(value))
                        .find();
    }

    private static String text(BsonValue value) {
        return value instanceof BsonSymbol symbol
                ? symbol.getSymbol()
                : value.asString().getValue();
    }

    private static boolean isType(BsonValue value, BsonValue type) {
        return value.getBsonType().getValue() == type.asNumber().intValue();
    }

    private static boolean leaves(BsonNumber number, BsonArray divisorAndRemainder) {
        if (special(number) != 0) {
            return false;
        }
        BigDecimal integer = exact(number).setScale(0, RoundingMode.DOWN);
        boolean tooLarge = integer.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0
                || integer.compareTo(BigDecimal.valueOf(Long.MIN_VALUE)) < 0;
        return !tooLarge
                && integer.longValueExact()
                                % divisorAndRemainder.get(0).asNumber().longValue()
                        == divisorAndRemainder.get(1).asNumber().longValue();
    }

    /**
     * Returns whether the values are comparable by order: one kind of value, and no NaN unless both
     * are NaN and may be equal.
     */
    private static boolean relates(@Nullable BsonValue value, BsonValue operand, boolean orEqual) {
        if (List.of(BsonType.MIN_KEY, BsonType.MAX_KEY).contains(operand.getBsonType())) {
            return true;
        }
        boolean one = value instanceof BsonNumber number && special(number) == -2;
        boolean other = operand instanceof BsonNumber number && special(number) == -2;
        return kind(defined(value)) == kind(operand) && (one == other) && (!one || orEqual);
    }

    private static @Nullable BsonValue defined(@Nullable BsonValue value) {
        return value instanceof BsonUndefined ? null : value;
    }

    private static int kind(@Nullable BsonValue value) {
        return value == null ? 2 : KINDS.get(value.getBsonType());
    }

    private static final Map<BsonType, Integer> KINDS = Map.ofEntries(
            Map.entry(BsonType.MIN_KEY, 0),
            Map.entry(BsonType.UNDEFINED, 1),
            Map.entry(BsonType.NULL, 2),
            Map.entry(BsonType.INT32, 3),
            Map.entry(BsonType.INT64, 3),
            Map.entry(BsonType.DOUBLE, 3),
            Map.entry(BsonType.DECIMAL128, 3),
            Map.entry(BsonType.STRING, 4),
            Map.entry(BsonType.SYMBOL, 4),
            Map.entry(BsonType.DOCUMENT, 5),
            Map.entry(BsonType.ARRAY, 6),
            Map.entry(BsonType.BINARY, 7),
            Map.entry(BsonType.OBJECT_ID, 8),
            Map.entry(BsonType.BOOLEAN, 9),
            Map.entry(BsonType.DATE_TIME, 10),
            Map.entry(BsonType.TIMESTAMP, 11),
            Map.entry(BsonType.REGULAR_EXPRESSION, 12),
            Map.entry(BsonType.MAX_KEY, 13));

    static int compare(@Nullable BsonValue one, @Nullable BsonValue other) {
        int byKind = Integer.compare(kind(one), kind(other));
        if (byKind != 0 || one == null || other == null) {
            return byKind;
        }
        return switch (kind(one)) {
            case 3 -> compareNumbers(one.asNumber(), other.asNumber());
            case 4 -> compareBytes(bytes(text(one)), bytes(text(other)));
            case 5, 6 -> compareLists(flat(one), flat(other));
            case 7 -> compareBinary(one.asBinary(), other.asBinary());
            case 8 ->
                compareBytes(
                        one.asObjectId().getValue().toByteArray(),
                        other.asObjectId().getValue().toByteArray());
            case 9 ->
                Boolean.compare(one.asBoolean().getValue(), other.asBoolean().getValue());
            case 10 ->
                Long.compare(one.asDateTime().getValue(), other.asDateTime().getValue());
            case 11 ->
                Long.compareUnsigned(
                        one.asTimestamp().getValue(), other.asTimestamp().getValue());
            case 12 -> one.toString().compareTo(other.toString());
            default -> 0;
        };
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static int compareBytes(byte[] one, byte[] other) {
        return Arrays.compareUnsigned(one, other);
    }

    private static int compareBinary(BsonBinary one, BsonBinary other) {
        int byLength = one.getData().length - other.getData().length;
        return byLength != 0 ? byLength : one.getType() - other.getType();
    }

    /** Returns the fields in order: kind, name, value. */
    private static List<Object> flat(BsonValue value) {
        List<Object> flat = new ArrayList<>();
        if (value instanceof BsonArray array) {
            flat.addAll(array);
        } else {
            value.asDocument().forEach((name, field) -> flat.addAll(List.of(kind(field), name, field)));
        }
        return flat;
    }

    private static int compareLists(List<Object> one, List<Object> other) {
        for (int i = 0; i < Math.min(one.size(), other.size()); i++) {
            int byItem = compareItems(one.get(i), other.get(i));
            if (byItem != 0) {
                return byItem;
            }
        }
        return one.size() - other.size();
    }

    private static int compareItems(Object one, Object other) {
        if (one instanceof Integer kind) {
            return kind - (Integer) other;
        }
        return one instanceof String name
                ? compareBytes(bytes(name), bytes((String) other))
                : compare((BsonValue) one, (BsonValue) other);
    }

    private static int compareNumbers(BsonNumber one, BsonNumber other) {
        int bySpecial = special(one) - special(other);
        return bySpecial != 0 || special(one) != 0 ? bySpecial : exact(one).compareTo(exact(other));
    }

    /** Returns -2 for NaN, -1 and 1 for the infinities, 0 for finite numbers. */
    private static int special(BsonNumber number) {
        String text = number instanceof BsonDecimal128 decimal
                ? decimal.getValue().toString()
                : String.valueOf(number.doubleValue());
        return switch (text) {
            case "NaN" -> -2;
            case "-Infinity" -> -1;
            case "Infinity" -> 1;
            default -> 0;
        };
    }

    private static BigDecimal exact(BsonNumber number) {
        if (number instanceof BsonDecimal128 decimal) {
            return new BigDecimal(decimal.getValue().toString());
        }
        return number.isDouble() ? new BigDecimal(number.doubleValue()) : BigDecimal.valueOf(number.longValue());
    }

    /** A path in a document. */
    private record Place(List<String> path, BsonDocument document) {

        /** Returns the values; null stands for an absent field. */
        List<@Nullable BsonValue> values(boolean elements) {
            List<@Nullable BsonValue> found = new ArrayList<>();
            below(document, path, elements, found);
            return found;
        }

        private static void below(
                BsonDocument document, List<String> path, boolean elements, List<@Nullable BsonValue> found) {
            BsonValue value = document.get(path.get(0));
            List<String> rest = path.subList(1, path.size());
            if (rest.isEmpty()) {
                found.addAll(elements && value instanceof BsonArray array ? array : List.of());
                found.add(value);
            } else if (value instanceof BsonDocument child) {
                below(child, rest, elements, found);
            } else if (value instanceof BsonArray array) {
                within(array, rest, elements, found);
            } else {
                found.add(null);
            }
        }

        private static void within(
                BsonArray array, List<String> path, boolean elements, List<@Nullable BsonValue> found) {
            for (BsonValue element : array) {
                if (element instanceof BsonDocument child) {
                    below(child, path, elements, found);
                }
            }
            if (path.get(0).matches("\\d") && Integer.parseInt(path.get(0)) < array.size()) {
                at(array.get(Integer.parseInt(path.get(0))), path.subList(1, path.size()), elements, found);
            }
        }

        private static void at(
                BsonValue element, List<String> rest, boolean elements, List<@Nullable BsonValue> found) {
            if (rest.isEmpty()) {
                found.add(element);
            } else if (element instanceof BsonDocument child) {
                below(child, rest, elements, found);
            } else if (element instanceof BsonArray array) {
                within(array, rest, elements, found);
            }
        }
    }
}
