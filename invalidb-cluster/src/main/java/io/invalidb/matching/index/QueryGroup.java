package io.invalidb.matching.index;

import io.invalidb.model.WriteEvent;
import io.invalidb.query.filter.Filter;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A group of queries with equal filters, which is evaluated once for each write. Single-threaded.
 */
final class QueryGroup extends IndexedFilter {

    private final Filter filter;
    private final Set<CellQuery> queries = new LinkedHashSet<>();

    QueryGroup(Filter filter) {
        this.filter = filter;
    }

    void add(CellQuery query) {
        queries.add(query);
        query.setRegistration(new Membership(this, query));
    }

    @Override
    QueryGroup toGroup() {
        return this;
    }

    @Override
    boolean isUnused() {
        return queries.isEmpty();
    }

    /** The registration of a query that an index finds by its group. */
    record Membership(QueryGroup group, CellQuery query) implements CandidateRegistration {

        @Override
        public void remove() {
            group.queries.remove(query);
        }

        @Override
        public IndexedFilter candidateFor(IndexedFilter entered) {
            return group;
        }
    }

    @Override
    Filter filter() {
        return filter;
    }

    @Override
    void forEachQuery(Consumer<CellQuery> action) {
        queries.forEach(action);
    }

    @Override
    boolean isNewerThanResult(WriteEvent write) {
        return queries.stream().anyMatch(query -> query.isNewerThanResult(write));
    }
}
