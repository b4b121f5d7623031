package io.orestes.schema.model;

import io.invalidb.query.BudgetExceededException;
import io.invalidb.query.QueryNotSupportedException;
import io.invalidb.query.QuerySyntaxException;
import io.invalidb.query.filter.Filter;
import io.orestes.json.JsonReader;
import io.orestes.json.JsonWriter;
import io.orestes.model.ApiException;
import io.orestes.schema.type.BasicType;
import io.orestes.schema.type.BasicValueDecoder;
import io.orestes.schema.type.NamingRules;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonType;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * The constraints that the values of one field satisfy beside its type. They are declared where old
 * clients preserve them: in the flag {@code NOTNULL}, and in members of the field's metadata that
 * begin with {@code orestes.}. Bounds, patterns and enumerations apply to single values, so in a
 * list, a set or a map to each element; lengths apply to the whole. Immutable.
 *
 * @param minimum minimum value, {@code null} for any
 * @param maximum maximum value, {@code null} for any
 * @param minLength minimum number of UTF-16 units of a text, or of elements
 * @param maxLength maximum number of UTF-16 units of a text, or of elements
 * @param pattern searched for in texts, in linear time; {@code null} for any text
 * @param allowed the allowed values, empty for any
 */
public record FieldConstraints(
        boolean isRequired,
        @Nullable BsonValue minimum,
        @Nullable BsonValue maximum,
        int minLength,
        int maxLength,
        @Nullable Filter pattern,
        Set<BsonValue> allowed) {

    static final String REQUIRED = "NOTNULL";
    static final String PREFIX = "orestes.";

    private static final String MIN = PREFIX + "min";
    private static final String MAX = PREFIX + "max";
    private static final String MIN_LENGTH = PREFIX + "minLength";
    private static final String MAX_LENGTH = PREFIX + "maxLength";
    private static final String PATTERN = PREFIX + "pattern";
    private static final String ENUM = PREFIX + "enum";
    private static final Set<String> KNOWN = Set.of(MIN, MAX, MIN_LENGTH, MAX_LENGTH, PATTERN, ENUM);
    private static final Set<BasicType> ORDERED =
            Set.of(BasicType.INTEGER, BasicType.DOUBLE, BasicType.DATE_TIME, BasicType.DATE, BasicType.TIME);
    private static final String VALUE = "v";

    /**
     * Returns the constraints of a field; fails with {@code SCHEMA_NOT_COMPATIBLE} if they do not
     * apply to its type.
     */
    public static FieldConstraints of(FieldSchema field) {
        Map<String, String> metadata = field.metadata();
        metadata.keySet().stream()
                .filter(key -> key.startsWith(PREFIX) && !KNOWN.contains(key))
                .findFirst()
                .ifPresent(key -> {
                    throw senseless(field, key);
                });
        return new FieldConstraints(
                field.flags().contains(REQUIRED),
                declared(field, MIN, text -> bound(field, text)).orElse(null),
                declared(field, MAX, text -> bound(field, text)).orElse(null),
                declared(field, MIN_LENGTH, text -> length(field, text)).orElse(0),
                declared(field, MAX_LENGTH, text -> length(field, text)).orElse(Integer.MAX_VALUE),
                declared(field, PATTERN, text -> pattern(field, text)).orElse(null),
                declared(field, ENUM, text -> values(field, text)).orElse(Set.of()));
    }

    /** Returns whether every value of the type satisfies them. */
    public boolean isEmpty() {
        return !isRequired
                && minimum == null
                && maximum == null
                && minLength == 0
                && maxLength == Integer.MAX_VALUE
                && pattern == null
                && allowed.isEmpty();
    }

    /**
     * Returns the violation by a stored value, which may be {@code null}; empty if there is none.
     */
    public Optional<String> violation(BsonValue value) {
        if (value.isNull()) {
            return isRequired ? Optional.of("must not be null") : Optional.empty();
        }
        return sizeOf(value).filter(size -> size < minLength).isPresent()
                ? Optional.of("is shorter than " + minLength)
                : sizeOf(value).filter(size -> size > maxLength).isPresent()
                        ? Optional.of("is longer than " + maxLength)
                        : Optional.empty();
    }

    /** Returns the violation by a single value that is not {@code null}; empty if there is none. */
    public Optional<String> violationOfElement(BsonValue value) {
        if (minimum != null && compare(value, minimum) < 0) {
            return Optional.of("is less than " + JsonWriter.print(minimum));
        }
        if (maximum != null && compare(value, maximum) > 0) {
            return Optional.of("is greater than " + JsonWriter.print(maximum));
        }
        if (!allowed.isEmpty() && allowed.stream().noneMatch(each -> isSame(each, value))) {
            return Optional.of("is none of "
                    + JsonWriter.print(new BsonArray(allowed.stream().toList())));
        }
        return pattern == null || isFound(pattern, value)
                ? Optional.empty()
                : Optional.of("does not match the pattern");
    }

    private static Optional<Integer> sizeOf(BsonValue value) {
        return value.isString()
                ? Optional.of(value.asString().getValue().length())
                : value.isArray()
                        ? Optional.of(value.asArray().size())
                        : value.isDocument() ? Optional.of(value.asDocument().size()) : Optional.empty();
    }

    private static boolean isFound(Filter pattern, BsonValue value) {
        try {
            return pattern.matches(new BsonDocument(VALUE, value));
        } catch (BudgetExceededException tooCostly) {
            return false;
        }
    }

    private static boolean isSame(BsonValue one, BsonValue other) {
        return one.isNumber() ? other.isNumber() && compare(one, other) == 0 : one.equals(other);
    }

    /**
     * Compares two stored values of one ordered type; Integers may be stored in a field of Doubles.
     */
    private static int compare(BsonValue one, BsonValue other) {
        if (one.isDouble() || other.isDouble()) {
            return one.isNumber() && other.isNumber()
                    ? Double.compare(
                            one.asNumber().doubleValue(), other.asNumber().doubleValue())
                    : 0;
        }
        if (one.getBsonType() != other.getBsonType()) {
            return 0;
        }
        return switch (one.getBsonType()) {
            case INT64 -> one.asInt64().compareTo(other.asInt64());
            case DATE_TIME -> one.asDateTime().compareTo(other.asDateTime());
            default -> one.asString().compareTo(other.asString());
        };
    }

    private static <T> Optional<T> declared(FieldSchema field, String key, Function<String, Optional<T>> reader) {
        return Optional.ofNullable(field.metadata().get(key))
                .map(text -> reader.apply(text).orElseThrow(() -> senseless(field, key)));
    }

    private static Optional<BsonValue> bound(FieldSchema field, String text) {
        return single(field).filter(ORDERED::contains).flatMap(type -> decode(type, text));
    }

    private static Optional<BsonValue> decode(BasicType type, String text) {
        boolean isNumber = type == BasicType.INTEGER || type == BasicType.DOUBLE;
        return (isNumber ? json(text) : Optional.<BsonValue>of(new BsonString(text)))
                .flatMap(value -> BasicValueDecoder.decode(type, value));
    }

    private static Optional<Integer> length(FieldSchema field, String text) {
        boolean hasLength = field.type().kind().isCollection()
                || field.type() == BasicType.STRING
                || field.type() == BasicType.JSON_ARRAY;
        return Optional.of(text)
                .filter(digits -> hasLength && digits.matches("\\d{1,9}"))
                .map(Integer::valueOf);
    }

    private static Optional<Filter> pattern(FieldSchema field, String text) {
        return single(field).filter(BasicType.STRING::equals).flatMap(type -> {
            try {
                BsonDocument search = new BsonDocument("$regex", new BsonString(text));
                return Optional.of(Filter.parse(new BsonDocument(VALUE, search)));
            } catch (QuerySyntaxException | QueryNotSupportedException malformed) {
                return Optional.empty();
            }
        });
    }

    private static Optional<Set<BsonValue>> values(FieldSchema field, String text) {
        Set<BsonValue> values = new LinkedHashSet<>();
        Predicate<BsonValue> isRead = value -> single(field)
                .filter(type -> type.storedAs() != BsonType.DOCUMENT && type.storedAs() != BsonType.ARRAY)
                .flatMap(type -> BasicValueDecoder.decode(type, value))
                .filter(values::add)
                .isPresent();
        return json(text)
                .filter(BsonValue::isArray)
                .filter(list ->
                        !list.asArray().isEmpty() && list.asArray().stream().allMatch(isRead))
                .map(list -> values);
    }

    /** Returns the type of the field's single values, if it is a basic one. */
    private static Optional<BasicType> single(FieldSchema field) {
        return field.type().elementType().basicType();
    }

    private static Optional<BsonValue> json(String text) {
        try {
            return Optional.of(JsonReader.read(text));
        } catch (ApiException malformed) {
            return Optional.empty();
        }
    }

    private static ApiException senseless(FieldSchema field, String key) {
        return SchemaRules.incompatible("The constraint " + NamingRules.shorten(key) + " makes no sense for the field "
                + field.name() + " of type " + field.type().ref());
    }
}
