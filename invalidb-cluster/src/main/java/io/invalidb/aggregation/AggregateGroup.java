package io.invalidb.aggregation;

import io.invalidb.query.StepBudget;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/**
 * One group of an aggregate: its key, its member count and the accumulators of its fields.
 * Single-threaded.
 */
final class AggregateGroup {

    private static final long BYTES = 200;

    private final BsonValue key;
    private final Map<String, FieldAccumulator> tallies;
    private final long keyBytes;
    private int members;

    AggregateGroup(BsonValue key, Map<String, FieldAccumulator> tallies) {
        this.key = key;
        this.tallies = tallies;
        this.keyBytes = Contribution.bytes(key);
    }

    void add(List<BsonValue> values) {
        members++;
        int next = 0;
        for (FieldAccumulator fieldAccumulator : tallies.values()) {
            BsonValue value = values.get(next++);
            if (AccumulatorSpec.isSomething(value)) {
                fieldAccumulator.add(value);
            }
        }
    }

    void remove(List<BsonValue> values) {
        members--;
        int next = 0;
        for (FieldAccumulator fieldAccumulator : tallies.values()) {
            BsonValue value = values.get(next++);
            if (AccumulatorSpec.isSomething(value)) {
                fieldAccumulator.remove(value);
            }
        }
    }

    /** Charges the cost of adding or removing these values, and of {@link #row}. */
    void pay(List<BsonValue> values, StepBudget stepBudget) {
        int next = 0;
        for (FieldAccumulator fieldAccumulator : tallies.values()) {
            stepBudget.spend(fieldAccumulator.cost(values.get(next++)));
        }
    }

    boolean isEmpty() {
        return members == 0;
    }

    /** Returns the row for clients: the group's key, then the computed fields. */
    BsonDocument row() {
        BsonDocument row = new BsonDocument(AggregateSpec.ID, key);
        tallies.forEach((name, fieldAccumulator) -> row.append(name, fieldAccumulator.result()));
        return row;
    }

    /** Returns the estimated heap in bytes, without the entries of the members. */
    long bytes() {
        long sum = BYTES + keyBytes;
        for (FieldAccumulator fieldAccumulator : tallies.values()) {
            sum += fieldAccumulator.bytes();
        }
        return sum;
    }
}
