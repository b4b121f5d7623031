package io.invalidb.aggregation;

import io.invalidb.query.BsonOrder;
import io.invalidb.query.Budget;
import io.invalidb.query.Weight;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** All groups of one aggregate by their keys, in the order of keys. Single-threaded. */
final class Groups {

    /** How often a group is looked up while one object takes the place of another. */
    private static final int LOOKUPS = 6;

    private final AggregateSpec spec;
    private final Function<Accumulator, Tally> tallying;
    private final AggregateBounds bounds;
    private final TreeMap<BsonValue, Group> byKey = new TreeMap<>(BsonOrder.INSTANCE);
    private long bytes;

    Groups(AggregateSpec spec, Function<Accumulator, Tally> tallying, AggregateBounds bounds) {
        this.spec = spec;
        this.tallying = tallying;
        this.bounds = bounds;
    }

    void enter(Contribution contribution) {
        Group group = byKey.computeIfAbsent(contribution.key(), this::open);
        long before = group.bytes();
        group.enter(contribution.values());
        bytes += group.bytes() - before;
        bounds.requireGroups(byKey.size());
        bounds.requireBytes(bytes);
    }

    void leave(Contribution contribution) {
        byKey.computeIfPresent(contribution.key(), (key, group) -> {
            group.leave(contribution.values());
            return group.isEmpty() ? close(group) : group;
        });
    }

    /** Pays for taking something in or out, and for the rows of its group. */
    void pay(Contribution contribution, Budget budget) {
        budget.spend(LOOKUPS * Weight.of(contribution.key()) * Tally.levels(byKey.size()));
        Group group = byKey.get(contribution.key());
        if (group != null) {
            group.pay(contribution.values(), budget);
        }
    }

    Optional<BsonDocument> row(BsonValue key) {
        return Optional.ofNullable(byKey.get(key)).map(Group::row);
    }

    List<BsonDocument> rows() {
        return byKey.values().stream().map(Group::row).toList();
    }

    /** Heap that groups take beside what their members remember, by estimate. */
    long bytes() {
        return bytes;
    }

    private Group open(BsonValue key) {
        Group group = spec.group(key, tallying);
        bytes += group.bytes();
        return group;
    }

    private @Nullable Group close(Group group) {
        bytes -= group.bytes();
        return null;
    }
}
