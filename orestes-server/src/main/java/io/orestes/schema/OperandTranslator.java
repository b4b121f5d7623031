package io.orestes.schema;

import io.orestes.json.WireDates;
import java.util.Optional;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonRegularExpression;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * Operands of conditions on one path: what to compare with takes the stored form of the type found there, be it a point in
 * time or on earth, a reference, an embedded object or a map. The rest stays, and so does what is no value of that type.
 */
final class OperandTranslator {

    private static final String DATE = "$date";

    /** Operators that take a value to compare with, or several. */
    private static final Set<String> COMPARISONS =
            Set.of("$eq", "$ne", "$gt", "$gte", "$lt", "$lte", "$in", "$nin", "$all");

    /** Those that take regular expressions among the values, for which JSON has no literal. */
    private static final Set<String> LISTS = Set.of("$in", "$nin", "$all");

    private static final String REGEX = "$regex";
    private static final String OPTIONS = "$options";

    private final FieldPaths paths;
    private final String path;
    private final Optional<FieldType> type;

    OperandTranslator(FieldPaths paths, String path) {
        this(paths, path, paths.typeOf(path));
    }

    private OperandTranslator(FieldPaths paths, String path, Optional<FieldType> type) {
        this.paths = paths;
        this.path = path;
        this.type = type;
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
        return operand.isString() && is(BasicType.TIME) ? time(operand.asString()) : operand;
    }

    private BsonValue document(BsonDocument operand) {
        if (operand.containsKey(DATE)) {
            return date(operand);
        }
        return literal(operand).orElseGet(() -> members(operand));
    }

    private Optional<BsonValue> literal(BsonDocument operand) {
        return operand.keySet().stream().anyMatch(OperandTranslator::isOperator)
                ? Optional.empty()
                : type.filter(OperandTranslator::isWrittenAsObject)
                        .flatMap(known -> paths.stored(known, operand, path));
    }

    /** A JSON object is stored as it is, but for the dates that a query spells otherwise. */
    private static boolean isWrittenAsObject(FieldType type) {
        return type.equals(BasicType.GEO_POINT) || type instanceof ClassType || type instanceof CollectionType.MapOf;
    }

    private BsonDocument members(BsonDocument operand) {
        BsonDocument translated = new BsonDocument();
        operand.forEach((key, value) -> translated.append(
                key,
                LISTS.contains(key) && value.isArray()
                        ? list(value.asArray())
                        : member(key).translate(value)));
        return translated;
    }

    private BsonArray list(BsonArray values) {
        OperandTranslator each = new OperandTranslator(paths, path);
        return new BsonArray(values.stream()
                .map(value -> value instanceof BsonDocument document && document.containsKey(REGEX)
                        ? pattern(document)
                        : each.translate(value))
                .toList());
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

    /** Operators speak of the same path; other members are fields of what is there. */
    private OperandTranslator member(String key) {
        if (COMPARISONS.contains(key)) {
            return new OperandTranslator(paths, path);
        }
        return isOperator(key) ? ofConditions() : new OperandTranslator(paths, path + "." + key);
    }

    /** For operators that take conditions on what is there, which look like an object there and are none. */
    private OperandTranslator ofConditions() {
        return new OperandTranslator(paths, path, type.filter(BasicType.class::isInstance));
    }

    private static boolean isOperator(String key) {
        return key.startsWith("$");
    }

    private BsonValue date(BsonDocument operand) {
        long instant = instant(operand);
        if (is(BasicType.DATE)) {
            return BasicValues.date(instant);
        }
        return is(BasicType.TIME) ? BasicValues.time(WireDates.timeOfDay(instant)) : new BsonDateTime(instant);
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

    /** Times are stored with all digits, so those that a query spells out get them too; others are left to match nothing. */
    private static BsonValue time(BsonString spelled) {
        return WireDates.parseTime(spelled.getValue()).map(BasicValues::time).orElse(spelled);
    }

    private boolean is(BasicType wanted) {
        return type.filter(wanted::equals).isPresent();
    }
}
