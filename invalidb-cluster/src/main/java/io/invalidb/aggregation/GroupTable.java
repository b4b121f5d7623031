package io.invalidb.aggregation;

import io.invalidb.query.StepBudget;
import io.invalidb.query.value.BsonOrder;
import io.invalidb.query.value.StepCost;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** The table of all groups of one aggregate by their keys, in key order. Single-threaded. */
final class GroupTable {

    /** Number of look-ups of a group while one object replaces another. */
    private static final int LOOKUPS = 6;

    private final AggregateSpec spec;
    private final Function<AccumulatorSpec, FieldAccumulator> tallying;
    private final AggregateLimits bounds;
    private final TreeMap<BsonValue, AggregateGroup> byKey = new TreeMap<>(BsonOrder.INSTANCE);
    private long bytes;

    GroupTable(AggregateSpec spec, Function<AccumulatorSpec, FieldAccumulator> tallying, AggregateLimits bounds) {
        this.spec = spec;
        this.tallying = tallying;
        this.bounds = bounds;
    }

    void add(Contribution contribution) {
        AggregateGroup aggregateGroup = byKey.computeIfAbsent(contribution.key(), this::open);
        long before = aggregateGroup.bytes();
        aggregateGroup.add(contribution.values());
        bytes += aggregateGroup.bytes() - before;
        bounds.requireGroups(byKey.size());
        bounds.requireBytes(bytes);
    }

    void remove(Contribution contribution) {
        byKey.computeIfPresent(contribution.key(), (key, aggregateGroup) -> {
            aggregateGroup.remove(contribution.values());
            return aggregateGroup.isEmpty() ? close(aggregateGroup) : aggregateGroup;
        });
    }

    /** Charges the cost of adding or removing a contribution, and of the rows of its group. */
    void pay(Contribution contribution, StepBudget stepBudget) {
        stepBudget.spend(LOOKUPS * StepCost.of(contribution.key()) * FieldAccumulator.levels(byKey.size()));
        AggregateGroup aggregateGroup = byKey.get(contribution.key());
        if (aggregateGroup != null) {
            aggregateGroup.pay(contribution.values(), stepBudget);
        }
    }

    Optional<BsonDocument> row(BsonValue key) {
        return Optional.ofNullable(byKey.get(key)).map(AggregateGroup::row);
    }

    List<BsonDocument> rows() {
        return byKey.values().stream().map(AggregateGroup::row).toList();
    }

    /** Returns the estimated heap in bytes of the groups, without the entries of their members. */
    long bytes() {
        return bytes;
    }

    private AggregateGroup open(BsonValue key) {
        AggregateGroup aggregateGroup = spec.group(key, tallying);
        bytes += aggregateGroup.bytes();
        return aggregateGroup;
    }

    private @Nullable AggregateGroup close(AggregateGroup aggregateGroup) {
        bytes -= aggregateGroup.bytes();
        return null;
    }
}
