package io.invalidb.matching;

import io.invalidb.model.WriteEvent;
import io.invalidb.query.Filter;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Consumer;

/** Queries with equal filters. Single-threaded. */
final class QueryGroup extends Candidate {

    private final Filter filter;
    private final Set<LiveQuery> queries = new LinkedHashSet<>();

    QueryGroup(Filter filter) {
        this.filter = filter;
    }

    void add(LiveQuery query) {
        queries.add(query);
        query.joined(this);
    }

    /** Says whether it was the last one. */
    boolean remove(LiveQuery query) {
        queries.remove(query);
        return queries.isEmpty();
    }

    @Override
    Filter filter() {
        return filter;
    }

    @Override
    void forEachQuery(Consumer<LiveQuery> action) {
        queries.forEach(action);
    }

    @Override
    boolean isNews(WriteEvent write) {
        return queries.stream().anyMatch(query -> query.isNews(write));
    }
}
