package io.invalidb.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.invalidb.matching.cell.History;
import io.invalidb.model.MatchEvent;
import io.invalidb.model.VersionStamp;
import io.invalidb.model.WriteEvent.Upsert;
import io.invalidb.query.filter.Filter;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;

/** The members of a query without an order. */
final class FoldedFilter implements FoldedClient {

    private static final Filter POSITIVE = Filter.parse(BsonDocument.parse("{n: {$gt: 0}}"));

    private Map<String, VersionStamp> held = Map.of();

    @Override
    public Filter filter() {
        return POSITIVE;
    }

    @Override
    public Map<String, VersionStamp> begin(List<Upsert> matching) {
        held = FoldedClient.stamps(matching);
        return held;
    }

    @Override
    public void apply(MatchEvent match) {
        held = History.folded(held, List.of(match));
    }

    @Override
    public boolean needsRenewal() {
        return false;
    }

    @Override
    public void verify(List<Upsert> matching) {
        assertThat(held).isEqualTo(FoldedClient.stamps(matching));
    }
}
