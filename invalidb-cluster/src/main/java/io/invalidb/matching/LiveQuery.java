package io.invalidb.matching;

import io.invalidb.model.MatchType;
import io.invalidb.model.Stamp;
import io.invalidb.model.WriteEvent;
import io.invalidb.query.Allowance;
import io.invalidb.query.Filter;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** A query and a cell's share of its result. Single-threaded. */
final class LiveQuery extends Candidate {

    private final QuerySpec spec;
    private Map<String, Stamp> result;

    /** @param result stamps of the objects in the result, by id; copied */
    LiveQuery(QuerySpec spec, Map<String, Stamp> result) {
        this.spec = spec;
        this.result = result.isEmpty() ? Map.of() : new HashMap<>(result);
    }

    QuerySpec spec() {
        return spec;
    }

    /** Ids of the objects in the result. */
    Set<String> ids() {
        return result.keySet();
    }

    /** What an index finds it by: itself, or the group it has joined. */
    Candidate candidate() {
        return place().orElse(null) instanceof QueryGroup.Membership membership ? membership.group() : this;
    }

    @Override
    Filter filter() {
        return spec.filter();
    }

    @Override
    void forEachQuery(Consumer<LiveQuery> action) {
        action.accept(this);
    }

    @Override
    boolean isNews(WriteEvent write) {
        Stamp held = result.get(write.id());
        return held == null || write.stamp().isAfter(held);
    }

    /**
     * Takes the write into the result; empty if that does not change it, or if the result is as new as the write. Throws what
     * the filter throws.
     */
    Optional<MatchType> apply(WriteEvent write, Allowance allowance) {
        return isNews(write) ? apply(write, matches(write, allowance)) : Optional.empty();
    }

    /** The same for a write of which it is known whether it matches. */
    Optional<MatchType> apply(WriteEvent write, boolean matches) {
        if (!isNews(write)) {
            return Optional.empty();
        }
        return matches ? Optional.of(enter(write)) : leave(write);
    }

    private MatchType enter(WriteEvent write) {
        if (result.isEmpty()) {
            result = new HashMap<>(4);
        }
        return result.put(write.id(), write.stamp()) == null ? MatchType.ADD : MatchType.CHANGE;
    }

    private Optional<MatchType> leave(WriteEvent write) {
        boolean held = result.containsKey(write.id());
        if (held) {
            result.remove(write.id());
        }
        return held ? Optional.of(MatchType.REMOVE) : Optional.empty();
    }

    /** Forgets that the object is in the result, unless it has another state by now; says whether it did. */
    boolean forget(String id, Stamp stamp) {
        return stamp.equals(result.get(id)) && result.remove(id, stamp);
    }

    private boolean matches(WriteEvent write, Allowance allowance) {
        return write instanceof WriteEvent.Upsert upsert && spec.filter().matches(upsert.afterImage(), allowance);
    }
}
