package io.invalidb.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.invalidb.model.MatchEvent;
import io.invalidb.model.VersionStamp;
import io.invalidb.model.WriteEvent;
import io.invalidb.model.WriteEvent.Upsert;
import io.invalidb.query.PeriodicStepBudget;
import io.invalidb.query.filter.Filter;
import io.invalidb.query.sort.SortOrder;
import io.invalidb.sorting.SortedWindow;
import io.invalidb.sorting.WindowEvent;
import io.invalidb.sorting.WindowSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.bson.BsonDocument;
import org.bson.BsonInt32;

/**
 * The ids of a sorted window; events also lead from the state before a renewal to that after it.
 */
final class FoldedWindow implements FoldedClient {

    private static final Filter OPEN = Filter.parse(BsonDocument.parse("{open: true}"));
    private static final Filter READABLE =
            Filter.parse(BsonDocument.parse("{$or: [{_readAllowed: {$exists: false}}, {_readAllowed: '/db/User/1'}]}"));

    private final Filter filter;
    private final WindowSpec spec;
    private final int slack;
    private final List<String> held = new ArrayList<>();
    private final PeriodicStepBudget periodicStepBudget = new PeriodicStepBudget();
    private SortedWindow window;

    FoldedWindow(Random random) {
        SortOrder order = SortOrder.parse(new BsonDocument("a", new BsonInt32(random.nextBoolean() ? 1 : -1)));
        this.filter = random.nextBoolean() ? OPEN : OPEN.and(READABLE);
        this.spec = new WindowSpec(order, random.nextInt(3), 1 + random.nextInt(4));
        this.slack = 1 + random.nextInt(3);
        this.window = new SortedWindow(spec, slack, List.of());
    }

    @Override
    public Filter filter() {
        return filter;
    }

    @Override
    public Map<String, VersionStamp> begin(List<Upsert> matching) {
        List<Upsert> result = sorted(matching).stream()
                .limit(SortedWindow.capacity(spec, slack))
                .toList();
        SortedWindow before = window;
        window = new SortedWindow(spec, slack, result);
        window.eventsSince(before).forEach(this::fold);
        return FoldedClient.stamps(result);
    }

    private List<Upsert> sorted(List<Upsert> matching) {
        return matching.stream()
                .sorted((one, other) -> spec.order().compare(one.afterImage(), other.afterImage()))
                .toList();
    }

    @Override
    public void apply(MatchEvent match) {
        window.apply(match, periodicStepBudget).forEach(this::fold);
    }

    private void fold(WindowEvent event) {
        String id = event.write().id();
        switch (event.type()) {
            case ADD -> held.add(event.index().orElseThrow(), id);
            case CHANGE -> assertThat(held).element(event.index().orElseThrow()).isEqualTo(id);
            case CHANGE_INDEX -> {
                assertThat(held.remove(id)).isTrue();
                held.add(event.index().orElseThrow(), id);
            }
            case REMOVE -> assertThat(held.remove(id)).isTrue();
        }
    }

    @Override
    public boolean needsRenewal() {
        return window.needsRenewal();
    }

    @Override
    public void spare(MatchingService cluster, String queryId) {
        cluster.releaseObjects(queryId, window.drainIgnored());
        window.horizon().ifPresent(horizon -> cluster.setHorizon(queryId, horizon));
    }

    @Override
    public void verify(List<Upsert> matching) {
        assertThat(held)
                .isEqualTo(sorted(matching).stream()
                        .skip(spec.offset())
                        .limit(spec.limit())
                        .map(WriteEvent::id)
                        .toList());
    }
}
