package io.invalidb.matching;

import io.invalidb.model.Stamp;
import io.invalidb.model.WriteEvent;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Consumer;

/** Considers every query concerned by every write. */
final class QueryScan implements QueryIndex {

    private final Set<LiveQuery> queries = new LinkedHashSet<>();

    @Override
    public void add(LiveQuery query) {
        queries.add(query);
    }

    @Override
    public void remove(LiveQuery query) {
        queries.remove(query);
    }

    @Override
    public void forget(LiveQuery query, String id, Stamp stamp) {
        boolean unused = query.forget(id, stamp);
    }

    @Override
    public boolean isEmpty() {
        return queries.isEmpty();
    }

    @Override
    public void forEachConcerned(WriteEvent write, Consumer<LiveQuery> action) {
        queries.forEach(action);
    }
}
