package io.invalidb.aggregation;

import io.invalidb.query.BudgetExceededException;
import java.util.List;
import org.bson.BsonDocument;

/**
 * An aggregate that is computed once by passing objects through it, holding only the groups.
 * Single-threaded, or passed from thread to thread.
 */
public final class PullAggregate {

    private final AggregateSpec spec;
    private final GroupTable groupTable;

    public PullAggregate(AggregateSpec spec, AggregateLimits bounds) {
        this.spec = spec;
        this.groupTable = new GroupTable(spec, AccumulatorSpec::growingTally, bounds);
    }

    /**
     * Takes one object of the query's result.
     *
     * @throws AggregateTooLargeException if that is too much
     * @throws BudgetExceededException if there is too much in the object to look at
     */
    public void add(BsonDocument document) {
        groupTable.enter(spec.contribution(document));
    }

    /** One row for each group, in the order of {@code _id}. */
    public List<BsonDocument> rows() {
        return groupTable.rows();
    }
}
