package io.invalidb.matching;

import io.invalidb.model.Stamp;
import io.invalidb.model.WriteEvent;
import io.invalidb.query.FieldPath;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/**
 * Considers the queries whose {@link Access} the after-image satisfies and those that hold the object; queries without one
 * are considered by every write.
 */
final class AccessIndex implements QueryIndex {

    private final QueryScan others = new QueryScan();
    private final Map<String, ValuesAt> paths = new HashMap<>();
    private final Map<LiveQuery, Entry> entries = new HashMap<>();
    private final Map<String, Set<LiveQuery>> holders = new HashMap<>();

    @Override
    public void add(LiveQuery query) {
        Access.of(query.spec().filter()).ifPresentOrElse(access -> add(query, access), () -> others.add(query));
    }

    private void add(LiveQuery query, Access access) {
        ValuesAt at = paths.computeIfAbsent(access.path(), ValuesAt::new);
        List<IntervalTreap.Node<LiveQuery>> nodes =
                new ArrayList<>(access.intervals().size());
        access.intervals().forEach(interval -> nodes.add(at.queries.add(interval, query)));
        entries.put(query, new Entry(at, nodes));
        query.ids().forEach(id -> hold(id, query));
    }

    @Override
    public void remove(LiveQuery query) {
        Entry entry = entries.remove(query);
        if (entry == null) {
            others.remove(query);
            return;
        }
        entry.nodes().forEach(entry.at().queries::remove);
        if (entry.at().queries.isEmpty()) {
            paths.remove(entry.at().path.toString());
        }
        query.ids().forEach(id -> release(id, query));
    }

    @Override
    public void forget(LiveQuery query, String id, Stamp stamp) {
        if (query.forget(id, stamp)) {
            release(id, query);
        }
    }

    @Override
    public boolean isEmpty() {
        return entries.isEmpty() && others.isEmpty();
    }

    @Override
    public void forEachConcerned(WriteEvent write, Consumer<LiveQuery> action) {
        Set<LiveQuery> concerned = new LinkedHashSet<>(holders.getOrDefault(write.id(), Set.of()));
        if (write instanceof WriteEvent.Upsert upsert) {
            paths.values().forEach(at -> at.collect(upsert.afterImage(), concerned));
        }
        concerned.forEach(query -> apply(write.id(), query, action));
        others.forEachConcerned(write, action);
    }

    private void apply(String id, LiveQuery query, Consumer<LiveQuery> action) {
        boolean held = query.holds(id);
        action.accept(query);
        if (held != query.holds(id)) {
            if (held) {
                release(id, query);
            } else {
                hold(id, query);
            }
        }
    }

    private void hold(String id, LiveQuery query) {
        holders.computeIfAbsent(id, unused -> new LinkedHashSet<>(2)).add(query);
    }

    private void release(String id, LiveQuery query) {
        holders.computeIfPresent(id, (unused, queries) -> queries.remove(query) && queries.isEmpty() ? null : queries);
    }

    /** Where a query is entered. */
    private record Entry(ValuesAt at, List<IntervalTreap.Node<LiveQuery>> nodes) {}

    /** The queries that are found by the values at one path. */
    private static final class ValuesAt {
        private final FieldPath path;
        private final IntervalTreap<LiveQuery> queries = new IntervalTreap<>();

        private ValuesAt(String path) {
            this.path = FieldPath.parse(path);
        }

        private void collect(BsonDocument document, Set<LiveQuery> concerned) {
            interval(document).ifPresent(interval -> queries.forEachTouching(interval, concerned::add));
        }

        /** With a document that breaks here every filter has to show whether it breaks it, too. */
        private Optional<Interval> interval(BsonDocument document) {
            try {
                List<BsonValue> values = path.values(document);
                return values.isEmpty() ? Optional.empty() : Optional.of(Interval.around(values));
            } catch (RuntimeException | StackOverflowError e) {
                return Optional.of(Interval.ALL);
            }
        }
    }
}
