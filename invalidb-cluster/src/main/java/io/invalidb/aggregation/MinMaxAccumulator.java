package io.invalidb.aggregation;

import io.invalidb.query.value.StepCost;
import org.bson.BsonNull;
import org.bson.BsonValue;

/**
 * The insert-only accumulator of {@code $min} and {@code $max}, which stores only the best value so
 * far.
 */
final class MinMaxAccumulator implements FieldAccumulator {

    private final boolean smallest;
    private BsonValue best = AccumulatorSpec.NOTHING;
    private long bytes = Contribution.bytes(best);

    MinMaxAccumulator(boolean smallest) {
        this.smallest = smallest;
    }

    @Override
    public void add(BsonValue value) {
        if (!AccumulatorSpec.isSomething(best) || isBetter(value)) {
            best = value;
            bytes = Contribution.bytes(value);
        }
    }

    private boolean isBetter(BsonValue value) {
        int order = TotalOrder.compare(value, best);
        return smallest ? order < 0 : order > 0;
    }

    @Override
    public void remove(BsonValue value) {
        throw new UnsupportedOperationException("Values are only added; earlier values are not stored");
    }

    @Override
    public BsonValue result() {
        return AccumulatorSpec.isSomething(best) ? best : BsonNull.VALUE;
    }

    @Override
    public long cost(BsonValue value) {
        return 2 * StepCost.of(value);
    }

    @Override
    public long bytes() {
        return bytes;
    }
}
