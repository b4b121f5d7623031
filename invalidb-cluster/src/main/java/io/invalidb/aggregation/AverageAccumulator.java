package io.invalidb.aggregation;

import org.bson.BsonDecimal128;
import org.bson.BsonDouble;
import org.bson.BsonNull;
import org.bson.BsonValue;

/**
 * The accumulator of {@code $avg}: a double, a decimal if one is among the numbers, or null without
 * numbers.
 */
final class AverageAccumulator implements FieldAccumulator {

    private final ExactSum sum = new ExactSum();

    @Override
    public void add(BsonValue value) {
        sum.add(value.asNumber());
    }

    @Override
    public void remove(BsonValue value) {
        sum.remove(value.asNumber());
    }

    @Override
    public BsonValue result() {
        if (sum.count() == 0) {
            return BsonNull.VALUE;
        }
        return sum.isDecimal() ? new BsonDecimal128(sum.decimalMean()) : new BsonDouble(sum.toDouble() / sum.count());
    }

    @Override
    public long cost(BsonValue value) {
        return sum.cost(value);
    }

    @Override
    public long bytes() {
        return SumAccumulator.BYTES;
    }
}
