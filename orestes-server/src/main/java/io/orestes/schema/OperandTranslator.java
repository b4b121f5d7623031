package io.orestes.schema;

import io.orestes.json.WireDates;
import java.util.Optional;
import org.bson.BsonArray;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;

/** Operands of conditions on one path: points in time and on earth take the stored form of the type
 * found there, the rest stays. */
final class OperandTranslator {

    private static final String DATE = "$date";

    private final FieldPaths paths;
    private final String path;
    private final Optional<FieldType> type;

    OperandTranslator(FieldPaths paths, String path) {
        this.paths = paths;
        this.path = path;
        this.type = paths.typeOf(path);
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
        Optional<BsonValue> place =
                is(BasicType.GEO_POINT) ? BasicValues.decode(BasicType.GEO_POINT, operand) : Optional.empty();
        return place.orElseGet(() -> members(operand));
    }

    private BsonDocument members(BsonDocument operand) {
        BsonDocument translated = new BsonDocument();
        operand.forEach((key, value) -> translated.append(key, member(key).translate(value)));
        return translated;
    }

    /** Operators speak of the same path; other members are fields of what is there. */
    private OperandTranslator member(String key) {
        return key.startsWith("$") ? this : new OperandTranslator(paths, path + "." + key);
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
