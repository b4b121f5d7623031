package io.invalidb.aggregation;

import io.invalidb.query.BudgetExceededException;
import java.util.List;
import org.bson.BsonDocument;

/**
 * An aggregate that is computed once by passing objects through it, with only the groups in memory.
 * Single-threaded, or passed from thread to thread.
 */
public final class OneShotAggregate {

    private final AggregateSpec spec;
    private final GroupTable groupTable;

    public OneShotAggregate(AggregateSpec spec, AggregateLimits bounds) {
        this.spec = spec;
        this.groupTable = new GroupTable(spec, AccumulatorSpec::newInsertOnly, bounds);
    }

    /**
     * Adds one object of the query's result.
     *
     * @throws AggregateTooLargeException if a limit is exceeded
     * @throws BudgetExceededException if the object is too expensive to read
     */
    public void add(BsonDocument document) {
        groupTable.add(spec.contribution(document));
    }

    /** Returns one row for each group, in the order of {@code _id}. */
    public List<BsonDocument> rows() {
        return groupTable.rows();
    }
}
