package io.invalidb.aggregation;

import io.invalidb.query.value.BsonOrder;
import java.util.Comparator;
import java.util.Iterator;
import org.bson.BsonArray;
import org.bson.BsonDecimal128;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonJavaScriptWithScope;
import org.bson.BsonValue;
import org.bson.types.Decimal128;

/**
 * A total order of BSON values that refines {@link BsonOrder} for its equal values, such as 1 and
 * 1.0. So the minimum of several values does not depend on their order of arrival.
 */
final class TotalOrder {

    private static final Comparator<Decimal128> BY_BITS =
            Comparator.comparingLong(Decimal128::getHigh).thenComparingLong(Decimal128::getLow);

    private TotalOrder() {}

    static int compare(BsonValue one, BsonValue other) {
        int order = BsonOrder.INSTANCE.compare(one, other);
        return order == 0 ? compareSpelling(one, other) : order;
    }

    /**
     * Compares equal values by their first number of different type: values in one position have
     * one name and are equal, too.
     */
    @SuppressWarnings("ReferenceEquality")
    private static int compareSpelling(BsonValue one, BsonValue other) {
        if (one == other) {
            return 0;
        }
        int byType = one.getBsonType().compareTo(other.getBsonType());
        return byType != 0 ? byType : compareWithin(one, other);
    }

    private static int compareWithin(BsonValue one, BsonValue other) {
        return switch (one.getBsonType()) {
            case DOCUMENT -> compareFields(one.asDocument(), other.asDocument());
            case ARRAY -> compareElements(one.asArray(), other.asArray());
            case DOUBLE -> compare((BsonDouble) one, (BsonDouble) other);
            case DECIMAL128 -> BY_BITS.compare(((BsonDecimal128) one).getValue(), ((BsonDecimal128) other).getValue());
            case JAVASCRIPT_WITH_SCOPE ->
                compareFields(((BsonJavaScriptWithScope) one).getScope(), ((BsonJavaScriptWithScope) other).getScope());
            default -> 0;
        };
    }

    private static int compare(BsonDouble one, BsonDouble other) {
        return Long.compare(Double.doubleToLongBits(one.getValue()), Double.doubleToLongBits(other.getValue()));
    }

    private static int compareFields(BsonDocument one, BsonDocument other) {
        return compareAll(one.values().iterator(), other.values().iterator());
    }

    private static int compareElements(BsonArray one, BsonArray other) {
        return compareAll(one.iterator(), other.iterator());
    }

    private static int compareAll(Iterator<BsonValue> some, Iterator<BsonValue> others) {
        int order = 0;
        while (order == 0 && some.hasNext()) {
            order = compareSpelling(some.next(), others.next());
        }
        return order;
    }
}
