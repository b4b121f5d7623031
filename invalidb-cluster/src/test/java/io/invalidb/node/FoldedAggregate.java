package io.invalidb.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.invalidb.aggregation.AggregateLimits;
import io.invalidb.aggregation.AggregateSpec;
import io.invalidb.aggregation.GroupEvent;
import io.invalidb.aggregation.LiveAggregate;
import io.invalidb.aggregation.OneShotAggregate;
import io.invalidb.model.MatchEvent;
import io.invalidb.model.MatchType;
import io.invalidb.model.VersionStamp;
import io.invalidb.model.WriteEvent.Upsert;
import io.invalidb.query.PeriodicStepBudget;
import io.invalidb.query.filter.Filter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** The rows of an aggregate. */
final class FoldedAggregate implements FoldedClient {

    private static final Filter OPEN = Filter.parse(BsonDocument.parse("{open: true}"));
    private static final AggregateLimits BOUNDS = new AggregateLimits(1_000, 1_000, 1 << 20);
    private static final AggregateSpec SPEC = AggregateSpec.parse(BsonDocument.parse(
            "{_id: '$a', objects: {$count: {}}, sum: {$sum: '$n'}, mean: {$avg: '$n'}, most: {$max: '$n'}}"));

    private final Map<BsonValue, BsonDocument> rows = new HashMap<>();
    private final PeriodicStepBudget periodicStepBudget = new PeriodicStepBudget();
    private LiveAggregate aggregate = new LiveAggregate(SPEC, BOUNDS);

    @Override
    public Filter filter() {
        return OPEN;
    }

    @Override
    public Map<String, VersionStamp> begin(List<Upsert> matching) {
        aggregate = new LiveAggregate(SPEC, BOUNDS);
        matching.forEach(object -> aggregate.add(object.id(), object.stamp(), object.afterImage()));
        rows.clear();
        aggregate.rows().forEach(row -> rows.put(row.get(AggregateSpec.ID), row));
        return aggregate.members();
    }

    @Override
    public void apply(MatchEvent match) {
        aggregate.apply(match, periodicStepBudget).forEach(this::fold);
    }

    private void fold(GroupEvent event) {
        BsonValue group = event.row().get(AggregateSpec.ID);
        assertThat(rows.containsKey(group)).isEqualTo(event.type() != MatchType.ADD);
        rows.remove(group);
        if (event.type() != MatchType.REMOVE) {
            rows.put(group, event.row());
        }
    }

    @Override
    public boolean needsRenewal() {
        return false;
    }

    @Override
    public void verify(List<Upsert> matching) {
        OneShotAggregate fresh = new OneShotAggregate(SPEC, BOUNDS);
        matching.forEach(object -> fresh.add(object.afterImage()));
        assertThat(rows.values()).containsExactlyInAnyOrderElementsOf(fresh.rows());
    }
}
