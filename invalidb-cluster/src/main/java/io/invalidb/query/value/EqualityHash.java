package io.invalidb.query.value;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/**
 * A hash of values: values that are equal in {@link BsonOrder} have equal hashes; others hardly
 * ever do, even if chosen by an attacker.
 */
public final class EqualityHash {

    /**
     * Maximum number of elements of an object or array in a hash: enough to distinguish most, few
     * enough for large ones.
     */
    private static final int ELEMENTS = 16;

    private static final int DEPTH = 3;

    private EqualityHash() {}

    /** Returns the hash of a value. */
    public static long of(BsonValue value) {
        return SeededHash.spread(with(SeededHash.START, value, DEPTH));
    }

    private static long with(long hash, BsonValue value, int depth) {
        int bracket = BsonOrder.bracket(value);
        long typed = SeededHash.extend(hash, bracket);
        if (bracket == BsonOrder.NUMBER_BRACKET) {
            double number = NumberOrder.nearestDouble(value.asNumber());
            return SeededHash.extend(typed, Double.doubleToLongBits(number + 0.0));
        }
        if (BsonOrder.isText(value)) {
            return SeededHash.extend(typed, BsonOrder.text(value));
        }
        return value.isDocument() || value.isArray() ? withParts(typed, value, depth) : withScalar(typed, value);
    }

    private static long withScalar(long hash, BsonValue value) {
        return switch (value.getBsonType()) {
            case BINARY -> SeededHash.extend(hash, value.asBinary().getData());
            case OBJECT_ID ->
                SeededHash.extend(hash, value.asObjectId().getValue().toByteArray());
            case BOOLEAN, DATE_TIME, TIMESTAMP -> SeededHash.extend(hash, value.hashCode());
            case REGULAR_EXPRESSION ->
                SeededHash.extend(hash, value.asRegularExpression().getPattern());
            default -> hash;
        };
    }

    private static long withParts(long hash, BsonValue value, int depth) {
        if (depth == 0) {
            return hash;
        }
        return value instanceof BsonDocument document
                ? withFields(hash, document, depth - 1)
                : withElements(hash, value.asArray(), depth - 1);
    }

    private static long withFields(long hash, BsonDocument document, int depth) {
        long longer = SeededHash.extend(hash, document.size());
        Iterator<Map.Entry<String, BsonValue>> fields = document.entrySet().iterator();
        for (int i = 0; i < ELEMENTS && fields.hasNext(); i++) {
            Map.Entry<String, BsonValue> field = fields.next();
            longer = with(SeededHash.extend(longer, field.getKey()), field.getValue(), depth);
        }
        return longer;
    }

    private static long withElements(long hash, List<BsonValue> elements, int depth) {
        long longer = SeededHash.extend(hash, elements.size());
        for (int i = 0; i < ELEMENTS && i < elements.size(); i++) {
            longer = with(longer, elements.get(i), depth);
        }
        return longer;
    }
}
