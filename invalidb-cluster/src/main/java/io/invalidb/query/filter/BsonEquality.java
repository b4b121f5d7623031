package io.invalidb.query.filter;

import io.invalidb.query.value.SeededHash;
import java.util.Iterator;
import java.util.Map;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonRegularExpression;
import org.bson.BsonValue;
import org.bson.types.Decimal128;

/**
 * Equality and hash of BSON values that distinguish number types and the order of fields. Documents
 * are equal for {@code BsonDocument} whatever the order of their fields, but {@code {a: {x: 1, y:
 * 2}}} and {@code {a: {y: 2, x: 1}}} find different objects.
 */
final class BsonEquality {

    private BsonEquality() {}

    static boolean isSame(BsonValue one, BsonValue other) {
        if (one instanceof BsonDocument document) {
            return other instanceof BsonDocument that && isSame(document, that);
        }
        if (one instanceof BsonArray array) {
            return other instanceof BsonArray that && isSame(array, that);
        }
        return one.equals(other);
    }

    private static boolean isSame(BsonDocument one, BsonDocument other) {
        Iterator<Map.Entry<String, BsonValue>> others = other.entrySet().iterator();
        for (Map.Entry<String, BsonValue> field : one.entrySet()) {
            if (!others.hasNext() || !isSame(field, others.next())) {
                return false;
            }
        }
        return !others.hasNext();
    }

    private static boolean isSame(Map.Entry<String, BsonValue> one, Map.Entry<String, BsonValue> other) {
        return one.getKey().equals(other.getKey()) && isSame(one.getValue(), other.getValue());
    }

    private static boolean isSame(BsonArray one, BsonArray other) {
        boolean isSame = one.size() == other.size();
        for (int i = 0; isSame && i < one.size(); i++) {
            isSame = isSame(one.get(i), other.get(i));
        }
        return isSame;
    }

    /** Returns a hash, equal for exactly equal values in this process. */
    static int hash(BsonValue value) {
        return (int) SeededHash.spread(with(SeededHash.START, value));
    }

    private static long with(long hash, BsonValue value) {
        long typed = SeededHash.extend(hash, value.getBsonType().getValue());
        return switch (value.getBsonType()) {
            case DOCUMENT -> withFields(typed, value.asDocument());
            case ARRAY -> withElements(typed, value.asArray());
            case STRING -> SeededHash.extend(typed, value.asString().getValue());
            case REGULAR_EXPRESSION -> withPattern(typed, value.asRegularExpression());
            case BINARY -> SeededHash.extend(typed, value.asBinary().getData());
            case OBJECT_ID ->
                SeededHash.extend(typed, value.asObjectId().getValue().toByteArray());
            default -> SeededHash.extend(typed, ofScalar(value));
        };
    }

    private static long ofScalar(BsonValue value) {
        return switch (value.getBsonType()) {
            case INT32 -> value.asInt32().getValue();
            case INT64 -> value.asInt64().getValue();
            case DOUBLE -> Double.doubleToLongBits(value.asDouble().getValue());
            case DECIMAL128 -> ofDecimal(value.asDecimal128().getValue());
            case BOOLEAN -> value.asBoolean().getValue() ? 1 : 0;
            case DATE_TIME -> value.asDateTime().getValue();
            case TIMESTAMP -> value.asTimestamp().getValue();
            default -> SeededHash.of(value.toString());
        };
    }

    private static long ofDecimal(Decimal128 value) {
        return SeededHash.of(value.getHigh(), value.getLow());
    }

    private static long withPattern(long hash, BsonRegularExpression value) {
        return SeededHash.extend(SeededHash.extend(hash, value.getPattern()), value.getOptions());
    }

    private static long withFields(long hash, BsonDocument document) {
        long longer = SeededHash.extend(hash, document.size());
        for (Map.Entry<String, BsonValue> field : document.entrySet()) {
            longer = with(SeededHash.extend(longer, field.getKey()), field.getValue());
        }
        return longer;
    }

    private static long withElements(long hash, BsonArray array) {
        long longer = SeededHash.extend(hash, array.size());
        for (int i = 0; i < array.size(); i++) {
            longer = with(longer, array.get(i));
        }
        return longer;
    }
}
