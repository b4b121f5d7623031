package io.invalidb.aggregation;

import io.invalidb.query.Budget;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** One group: how many members it has, and what is computed of them. Single-threaded. */
final class Group {

    private static final long BYTES = 200;

    private final BsonValue key;
    private final Map<String, Tally> tallies;
    private final long keyBytes;
    private int members;

    Group(BsonValue key, Map<String, Tally> tallies) {
        this.key = key;
        this.tallies = tallies;
        this.keyBytes = Contribution.bytes(key);
    }

    void enter(List<BsonValue> values) {
        members++;
        int next = 0;
        for (Tally tally : tallies.values()) {
            BsonValue value = values.get(next++);
            if (Accumulator.isSomething(value)) {
                tally.add(value);
            }
        }
    }

    void leave(List<BsonValue> values) {
        members--;
        int next = 0;
        for (Tally tally : tallies.values()) {
            BsonValue value = values.get(next++);
            if (Accumulator.isSomething(value)) {
                tally.remove(value);
            }
        }
    }

    /** Pays for taking these values in or out, and for {@link #row}. */
    void pay(List<BsonValue> values, Budget budget) {
        int next = 0;
        for (Tally tally : tallies.values()) {
            budget.spend(tally.effort(values.get(next++)));
        }
    }

    boolean isEmpty() {
        return members == 0;
    }

    /** The group as clients see it: its key, then the computed fields. */
    BsonDocument row() {
        BsonDocument row = new BsonDocument(AggregateSpec.ID, key);
        tallies.forEach((name, tally) -> row.append(name, tally.result()));
        return row;
    }

    /** Heap that it takes beside what its members remember, by estimate. */
    long bytes() {
        long sum = BYTES + keyBytes;
        for (Tally tally : tallies.values()) {
            sum += tally.bytes();
        }
        return sum;
    }
}
