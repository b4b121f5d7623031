package io.invalidb.query;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** A hash of values: those that {@link BsonOrder} calls equal have the same key, others hardly ever. */
public final class EqualityKey {

    /** How much of an object or array counts: enough to tell most apart, little enough for large ones. */
    private static final int ELEMENTS = 16;

    private static final int DEPTH = 3;

    private EqualityKey() {}

    /** The key of a value. */
    public static long of(BsonValue value) {
        return of(value, DEPTH);
    }

    private static long of(BsonValue value, int depth) {
        int bracket = BsonOrder.bracket(value);
        return mixed(bracket + 31 * within(bracket, value, depth));
    }

    private static long within(int bracket, BsonValue value, int depth) {
        if (bracket == BsonOrder.NUMBER_BRACKET) {
            return Double.doubleToLongBits(NumberOrder.nearestDouble(value.asNumber()) + 0.0);
        }
        if (ValueTest.isText(value)) {
            return BsonOrder.text(value).hashCode();
        }
        if (value instanceof BsonDocument document) {
            return depth == 0 ? 0 : ofFields(document, depth - 1);
        }
        if (value instanceof BsonArray array) {
            return depth == 0 ? 0 : ofElements(array, depth - 1);
        }
        return ofScalar(value);
    }

    private static long ofScalar(BsonValue value) {
        return switch (value.getBsonType()) {
            case BINARY, OBJECT_ID, BOOLEAN, DATE_TIME, TIMESTAMP, REGULAR_EXPRESSION -> value.hashCode();
            default -> 0;
        };
    }

    private static long ofFields(BsonDocument document, int depth) {
        long key = document.size();
        Iterator<Map.Entry<String, BsonValue>> fields = document.entrySet().iterator();
        for (int i = 0; i < ELEMENTS && fields.hasNext(); i++) {
            Map.Entry<String, BsonValue> field = fields.next();
            key = 31 * (31 * key + field.getKey().hashCode()) + of(field.getValue(), depth);
        }
        return key;
    }

    private static long ofElements(List<BsonValue> elements, int depth) {
        long key = elements.size();
        for (int i = 0; i < ELEMENTS && i < elements.size(); i++) {
            key = 31 * key + of(elements.get(i), depth);
        }
        return key;
    }

    /** Spreads the bits (the finalizer of MurmurHash3). */
    private static long mixed(long key) {
        long mixed = (key ^ (key >>> 33)) * 0xff51afd7ed558ccdL;
        mixed = (mixed ^ (mixed >>> 33)) * 0xc4ceb9fe1a85ec53L;
        return mixed ^ (mixed >>> 33);
    }
}
