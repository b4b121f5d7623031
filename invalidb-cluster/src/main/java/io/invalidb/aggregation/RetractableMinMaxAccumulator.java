package io.invalidb.aggregation;

import io.invalidb.query.value.StepCost;
import java.util.Comparator;
import java.util.TreeMap;
import org.bson.BsonNull;
import org.bson.BsonValue;

/**
 * The accumulator of {@code $min} and {@code $max} with removal: an ordered multiset of all values.
 */
final class RetractableMinMaxAccumulator implements FieldAccumulator {

    private static final long BYTES = 100;

    private final TreeMap<BsonValue, Integer> counts;

    RetractableMinMaxAccumulator(boolean smallest) {
        Comparator<BsonValue> order = TotalOrder::compare;
        this.counts = new TreeMap<>(smallest ? order : order.reversed());
    }

    @Override
    public void add(BsonValue value) {
        counts.merge(value, 1, Integer::sum);
    }

    @Override
    public void remove(BsonValue value) {
        counts.computeIfPresent(value, (same, count) -> count == 1 ? null : count - 1);
    }

    @Override
    public BsonValue result() {
        return counts.isEmpty() ? BsonNull.VALUE : counts.firstKey();
    }

    /** Returns the cost; equal values are compared twice. */
    @Override
    public long cost(BsonValue value) {
        return 2 * StepCost.of(value) * FieldAccumulator.levels(counts.size());
    }

    @Override
    public long bytes() {
        return BYTES;
    }
}
