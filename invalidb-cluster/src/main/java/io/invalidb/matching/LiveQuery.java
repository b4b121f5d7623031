package io.invalidb.matching;

import io.invalidb.model.MatchType;
import io.invalidb.model.Stamp;
import io.invalidb.model.WriteEvent;
import io.invalidb.query.Allowance;
import io.invalidb.query.Filter;
import io.invalidb.query.Horizon;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A query and a cell's share of its result. Single-threaded. */
final class LiveQuery extends Candidate {

    private final QuerySpec spec;
    private @Nullable Share share;

    /** @param result stamps of the objects in the result, by id; copied */
    LiveQuery(QuerySpec spec, Map<String, Stamp> result) {
        this.spec = spec;
        if (!result.isEmpty()) {
            share().held.putAll(result);
        }
    }

    private Share share() {
        Share known = share == null ? new Share() : share;
        share = known;
        return known;
    }

    private @Nullable Stamp held(String id) {
        return share == null ? null : share.held.get(id);
    }

    QuerySpec spec() {
        return spec;
    }

    /** Ids of the objects in the result. */
    Set<String> ids() {
        return share == null ? Set.of() : share.held.keySet();
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
        Stamp held = held(write.id());
        return held == null || write.stamp().isAfter(held);
    }

    /**
     * Takes the write into the result; empty if that does not change it, if the result is as new as the write, or if the object
     * comes in behind the horizon. Throws what the filter throws.
     */
    Optional<MatchType> apply(WriteEvent write, Allowance allowance) {
        return isNews(write) ? apply(write, matches(write, allowance), allowance) : Optional.empty();
    }

    /** The same for a write of which it is known whether it matches. */
    Optional<MatchType> apply(WriteEvent write, boolean matches, Allowance allowance) {
        Stamp held = held(write.id());
        if (held == null) {
            return matches && !isBehindHorizon(write, allowance) ? Optional.of(enter(write)) : Optional.empty();
        }
        if (!write.stamp().isAfter(held)) {
            return Optional.empty();
        }
        return Optional.of(matches ? enter(write) : leave(write));
    }

    private MatchType enter(WriteEvent write) {
        return share().held.put(write.id(), write.stamp()) == null ? MatchType.ADD : MatchType.CHANGE;
    }

    private MatchType leave(WriteEvent write) {
        share().held.remove(write.id());
        return MatchType.REMOVE;
    }

    /** An object that cannot be ranked is told: who keeps the order will fail on it, too. */
    private boolean isBehindHorizon(WriteEvent write, Allowance allowance) {
        try {
            return share != null
                    && share.horizon != null
                    && write instanceof WriteEvent.Upsert upsert
                    && share.horizon.isBefore(upsert.afterImage(), allowance);
        } catch (RuntimeException | StackOverflowError e) {
            return false;
        }
    }

    /** From now on objects that come in behind the horizon are not taken into the result. */
    void ignoreBehind(Horizon newHorizon) {
        share().horizon = newHorizon;
    }

    /** Forgets that the object is in the result, unless it has another state by now; says whether it did. */
    boolean forget(String id, Stamp stamp) {
        return share != null && share.held.remove(id, stamp);
    }

    private boolean matches(WriteEvent write, Allowance allowance) {
        return write instanceof WriteEvent.Upsert upsert && spec.filter().matches(upsert.afterImage(), allowance);
    }
}
