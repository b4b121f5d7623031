package io.invalidb.matching;

import io.invalidb.query.BsonOrder;
import org.bson.BsonMaxKey;
import org.bson.BsonMinKey;
import org.bson.BsonValue;

/** Values in {@link BsonOrder} from {@code lower} to {@code upper}, both included. */
record Interval(BsonValue lower, BsonValue upper) {

    /** All values. */
    static final Interval ALL = new Interval(new BsonMinKey(), new BsonMaxKey());

    static Interval point(BsonValue value) {
        return new Interval(value, value);
    }

    /** The smallest interval that holds these, of which there is at least one. */
    static Interval around(Iterable<BsonValue> values) {
        BsonValue lower = ALL.upper;
        BsonValue upper = ALL.lower;
        for (BsonValue value : values) {
            lower = min(lower, value);
            upper = max(upper, value);
        }
        return new Interval(lower, upper);
    }

    static BsonValue min(BsonValue one, BsonValue other) {
        return BsonOrder.INSTANCE.compare(one, other) <= 0 ? one : other;
    }

    static BsonValue max(BsonValue one, BsonValue other) {
        return BsonOrder.INSTANCE.compare(one, other) >= 0 ? one : other;
    }
}
