package io.invalidb.matching.selectivity;

import io.invalidb.query.filter.PathConstraint;
import io.invalidb.query.value.BsonOrder;
import io.invalidb.query.value.OrderPrefix;
import org.bson.BsonMaxKey;
import org.bson.BsonMinKey;
import org.bson.BsonValue;

/**
 * A closed interval of BSON values in {@link BsonOrder}, with the order keys of its bounds.
 *
 * @param from order key of the lower bound; the bounds themselves are compared only if keys are
 *     equal
 * @param to order key of the upper bound
 */
public record Interval(long from, BsonValue lower, long to, BsonValue upper) {

    private static final BsonValue LEAST = new BsonMinKey();
    private static final BsonValue GREATEST = new BsonMaxKey();

    public static Interval of(BsonValue lower, BsonValue upper) {
        return new Interval(OrderPrefix.of(lower), lower, OrderPrefix.of(upper), upper);
    }

    /** Returns the interval of comparable values between the bounds. */
    public static Interval of(PathConstraint.Range range) {
        BsonValue lower = range.lower();
        BsonValue upper = range.upper();
        return new Interval(
                lower == null ? OrderPrefix.leastComparableTo(range.bound()) : OrderPrefix.of(lower),
                lower == null ? LEAST : lower,
                upper == null ? OrderPrefix.greatestComparableTo(range.bound()) : OrderPrefix.of(upper),
                upper == null ? GREATEST : upper);
    }

    /** Returns the smallest interval that contains this one and the value. */
    public Interval with(BsonValue value) {
        long key = OrderPrefix.of(value);
        if (compare(key, value, from, lower) < 0) {
            return new Interval(key, value, to, upper);
        }
        return compare(key, value, to, upper) > 0 ? new Interval(from, lower, key, value) : this;
    }

    /** Compares two bounds. */
    public static int compare(long key, BsonValue value, long otherKey, BsonValue otherValue) {
        return key != otherKey ? Long.compare(key, otherKey) : BsonOrder.INSTANCE.compare(value, otherValue);
    }
}
