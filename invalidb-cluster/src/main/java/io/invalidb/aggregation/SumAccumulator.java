package io.invalidb.aggregation;

import org.bson.BsonValue;

/** The accumulator of {@code $sum}, whose result is 0 without any number. */
final class SumAccumulator implements FieldAccumulator {

    static final long BYTES = 160;

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
        return sum.value();
    }

    @Override
    public long cost(BsonValue value) {
        return sum.cost(value);
    }

    @Override
    public long bytes() {
        return BYTES;
    }
}
