package io.orestes.read.translation;

import io.orestes.json.WireDates;
import io.orestes.schema.codec.FieldPathResolver;
import io.orestes.schema.type.BasicType;
import io.orestes.schema.type.BasicValueDecoder;
import io.orestes.schema.type.FieldType;
import io.orestes.schema.type.TypeKind;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonRegularExpression;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * The translator of operands on one path to the stored form of the type found there. Such types
 * include points in time or on earth, references, embedded objects and maps. A value that may be
 * stored in several forms is compared with all of them. The rest of an operand stays as it is, and
 * so do values of other types.
 */
final class OperandTranslator {

    private static final String DATE = "$date";

    /** Operators that compare with one value or several. */
    private static final Set<String> COMPARISONS =
            Set.of("$eq", "$ne", "$gt", "$gte", "$lt", "$lte", "$in", "$nin", "$all");

    /** Operators with several values, by the operator with one. */
    private static final Map<String, String> SEVERAL = Map.of("$eq", "$in", "$ne", "$nin");

    private static final String EQUAL = "$eq";
    private static final String IN = "$in";
    private static final String ALL = "$all";
    private static final String ELEMENT = "$elemMatch";
    private static final String REGEX = "$regex";
    private static final String OPTIONS = "$options";

    private final FieldPathResolver paths;
    private final LiteralVariants forms;
    private final String path;
    private final @Nullable FieldType type;

    /**
     * True if the operand consists of conditions on fields, in which nothing is a literal that
     * looks like one.
     */
    private final boolean isOfConditions;

    OperandTranslator(FieldPathResolver paths, LiteralVariants forms, String path) {
        this(paths, forms, path, paths.typeOf(path).orElse(null), false);
    }

    private OperandTranslator(
            FieldPathResolver paths,
            LiteralVariants forms,
            String path,
            @Nullable FieldType type,
            boolean isOfConditions) {
        this.paths = paths;
        this.forms = forms;
        this.path = path;
        this.type = type;
        this.isOfConditions = isOfConditions;
    }

    /** Translates the condition on the path: operators, or a value to match. */
    BsonValue condition(BsonValue operand) {
        List<BsonValue> values = isOperators(operand) ? List.of(translate(operand)) : formsOf(operand);
        return values.size() == 1 ? values.get(0) : new BsonDocument(IN, new BsonArray(values));
    }

    private List<BsonValue> formsOf(BsonValue operand) {
        BsonValue value = translate(operand);
        return type == null ? List.of(value) : forms.of(type, value);
    }

    BsonValue translate(BsonValue operand) {
        if (operand.isDocument()) {
            return document(operand.asDocument());
        }
        if (operand.isArray()) {
            BsonArray translated = new BsonArray(operand.asArray().size());
            operand.asArray().forEach(element -> translated.add(translate(element)));
            return translated;
        }
        return operand.isString() && !isOfConditions ? text(operand.asString()) : operand;
    }

    private BsonValue document(BsonDocument operand) {
        if (operand.containsKey(DATE)) {
            return date(operand);
        }
        return literal(operand).orElseGet(() -> members(operand));
    }

    private Optional<BsonValue> literal(BsonDocument operand) {
        return type == null || isOperators(operand) || !isWrittenAsObject(type)
                ? Optional.empty()
                : paths.stored(type, operand, path);
    }

    /**
     * Returns whether values are stored as JSON objects, which stay unchanged except for dates in
     * query notation.
     */
    private static boolean isWrittenAsObject(FieldType type) {
        return switch (type.kind()) {
            case BASIC -> type == BasicType.GEO_POINT;
            case REFERENCE, EMBEDDED, MAP -> true;
            case LIST, SET -> false;
        };
    }

    private BsonDocument members(BsonDocument operand) {
        BsonDocument translated = new BsonDocument();
        operand.forEach((key, value) -> {
            if (SEVERAL.containsKey(key)) {
                appendOne(translated, key, value, operand);
            } else if (SEVERAL.containsValue(key) && value.isArray()) {
                translated.append(
                        key,
                        new BsonArray(
                                each(value.asArray()).flatMap(List::stream).toList()));
            } else if (key.equals(ALL) && value.isArray()) {
                appendAll(translated, each(value.asArray()).toList(), operand);
            } else {
                translated.append(key, member(key, value));
            }
        });
        return translated;
    }

    /** Appends the current form only, where another condition prevents variants. */
    private void appendOne(BsonDocument translated, String key, BsonValue value, BsonDocument beside) {
        List<BsonValue> values = new OperandTranslator(paths, forms, path).formsOf(value);
        String several = Objects.requireNonNull(SEVERAL.get(key));
        if (values.size() == 1 || beside.containsKey(several)) {
            translated.append(key, values.get(0));
        } else {
            translated.append(several, new BsonArray(values));
        }
    }

    /**
     * Appends the current forms, where lists are on the path whose elements may meet the conditions
     * together.
     */
    private void appendAll(BsonDocument translated, List<List<BsonValue>> each, BsonDocument beside) {
        boolean isSeveral = each.stream().anyMatch(values -> values.size() > 1);
        if (isSeveral && each.size() == 1 && !beside.containsKey(IN) && !beside.containsKey(EQUAL)) {
            translated.append(IN, new BsonArray(each.get(0)));
        } else if (isSeveral
                && isOneList()
                && each.stream().noneMatch(values -> values.get(0).isArray())) {
            translated.append(
                    ALL,
                    new BsonArray(
                            each.stream().map(OperandTranslator::elementOf).toList()));
        } else {
            translated.append(
                    ALL,
                    new BsonArray(each.stream().map(values -> values.get(0)).toList()));
        }
    }

    private boolean isOneList() {
        return !isOfConditions && paths.isOneList(path);
    }

    private static BsonDocument elementOf(List<BsonValue> values) {
        return new BsonDocument(ELEMENT, new BsonDocument(IN, new BsonArray(values)));
    }

    /** Returns the variants of every value. */
    private Stream<List<BsonValue>> each(BsonArray values) {
        OperandTranslator each = new OperandTranslator(paths, forms, path);
        return values.stream()
                .map(value -> value instanceof BsonDocument document && document.containsKey(REGEX)
                        ? List.of(pattern(document))
                        : each.formsOf(value));
    }

    private static BsonValue pattern(BsonDocument written) {
        BsonValue options = written.get(OPTIONS, new BsonString(""));
        boolean isAlone = written.size() == (written.containsKey(OPTIONS) ? 2 : 1);
        if (isAlone && written.get(REGEX) instanceof BsonString source && options.isString()) {
            return new BsonRegularExpression(
                    source.getValue(), options.asString().getValue());
        }
        throw QueryTranslator.syntax("In an array $regex takes a text, and nothing but $options stands beside it");
    }

    /**
     * Translates a member. Operators refer to the same path; other members are fields of the value.
     */
    private BsonValue member(String key, BsonValue value) {
        if (isOperator(key)) {
            return ofOperator(key).translate(value);
        }
        OperandTranslator field = new OperandTranslator(paths, forms, path + "." + key);
        return isOfConditions ? field.condition(value) : field.translate(value);
    }

    private OperandTranslator ofOperator(String operator) {
        if (COMPARISONS.contains(operator)) {
            return new OperandTranslator(paths, forms, path);
        }
        return operator.equals("$not")
                ? this
                : new OperandTranslator(
                        paths, forms, path, type != null && type.kind() == TypeKind.BASIC ? type : null, true);
    }

    private static boolean isOperators(BsonValue operand) {
        return operand.isDocument() && operand.asDocument().keySet().stream().anyMatch(OperandTranslator::isOperator);
    }

    private static boolean isOperator(String key) {
        return key.startsWith("$");
    }

    private BsonValue date(BsonDocument operand) {
        long instant = instant(operand);
        if (is(BasicType.DATE)) {
            return BasicValueDecoder.date(instant);
        }
        return is(BasicType.TIME) ? BasicValueDecoder.time(WireDates.timeOfDay(instant)) : new BsonDateTime(instant);
    }

    private static long instant(BsonDocument operand) {
        BsonValue value = operand.get(DATE, BsonNull.VALUE);
        if (operand.size() == 1 && value.isString()) {
            return WireDates.parseDateTime(value.asString().getValue())
                    .orElseThrow(() -> QueryTranslator.syntax("$date takes a date in ISO form"));
        }
        if (operand.size() == 1 && value instanceof BsonInt64 millis) {
            return millis.getValue();
        }
        throw QueryTranslator.syntax("$date takes a date in ISO form and stands alone");
    }

    /**
     * Translates a time in query notation, to which all digits are added as in stored times; other
     * texts stay unchanged and match nothing.
     */
    /** Translates a text as clients write it in objects. */
    private BsonValue text(BsonString spelled) {
        Optional<? extends BsonValue> meant = Optional.empty();
        if (is(BasicType.TIME)) {
            meant = WireDates.parseTime(spelled.getValue()).map(BasicValueDecoder::time);
        } else if (is(BasicType.DATE_TIME)) {
            meant = WireDates.parseDateTime(spelled.getValue()).map(BsonDateTime::new);
        }
        return meant.<BsonValue>map(value -> value).orElse(spelled);
    }

    private boolean is(BasicType wanted) {
        return type == wanted;
    }
}
