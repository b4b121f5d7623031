package io.invalidb.matching;

import io.invalidb.model.MatchType;
import io.invalidb.model.Stamp;
import io.invalidb.model.WriteEvent;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A query and a cell's share of its result. Single-threaded. */
final class LiveQuery {

    private final QuerySpec spec;
    private final Map<String, Stamp> result;

    /** @param result stamps of the objects in the result, by id; copied */
    LiveQuery(QuerySpec spec, Map<String, Stamp> result) {
        this.spec = spec;
        this.result = new HashMap<>(result);
    }

    QuerySpec spec() {
        return spec;
    }

    /** Ids of the objects in the result. */
    Set<String> ids() {
        return result.keySet();
    }

    boolean holds(String id) {
        return result.containsKey(id);
    }

    /**
     * Takes the write into the result; empty if that does not change it, or if the result is as new as the write. Throws what
     * the filter throws, and is of no use afterwards.
     */
    Optional<MatchType> apply(WriteEvent write) {
        Stamp held = result.get(write.id());
        if (held != null && !write.stamp().isAfter(held)) {
            return Optional.empty();
        }
        return matches(write) ? Optional.of(enter(write)) : leave(write);
    }

    private MatchType enter(WriteEvent write) {
        return result.put(write.id(), write.stamp()) == null ? MatchType.ADD : MatchType.CHANGE;
    }

    private Optional<MatchType> leave(WriteEvent write) {
        return result.remove(write.id()) == null ? Optional.empty() : Optional.of(MatchType.REMOVE);
    }

    /** Forgets that the object is in the result, unless it has another state by now; says whether it did. */
    boolean forget(String id, Stamp stamp) {
        return result.remove(id, stamp);
    }

    private boolean matches(WriteEvent write) {
        return write instanceof WriteEvent.Upsert upsert && spec.filter().matches(upsert.afterImage());
    }
}
