package io.invalidb.aggregation;

import io.invalidb.query.BsonOrder;
import java.util.Comparator;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.json.JsonMode;
import org.bson.json.JsonWriterSettings;

/**
 * {@link BsonOrder}, and between values that it calls equal, such as 1 and 1.0, some order that is always the same: the
 * smallest of several values then does not depend on which came first.
 */
final class TotalOrder {

    private static final JsonWriterSettings EXACT =
            JsonWriterSettings.builder().outputMode(JsonMode.EXTENDED).build();

    private TotalOrder() {}

    static int compare(BsonValue one, BsonValue other) {
        int order = BsonOrder.INSTANCE.compare(one, other);
        return order == 0 ? compareSpelling(one, other) : order;
    }

    private static int compareSpelling(BsonValue one, BsonValue other) {
        return one.equals(other)
                ? 0
                : Comparator.comparing(BsonValue::getBsonType)
                        .thenComparing(TotalOrder::spelling)
                        .compare(one, other);
    }

    private static String spelling(BsonValue value) {
        return new BsonDocument("", value).toJson(EXACT);
    }
}
