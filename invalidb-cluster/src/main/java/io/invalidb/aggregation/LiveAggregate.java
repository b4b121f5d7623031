package io.invalidb.aggregation;

import io.invalidb.model.MatchEvent;
import io.invalidb.model.MatchType;
import io.invalidb.model.VersionStamp;
import io.invalidb.model.WriteEvent;
import io.invalidb.model.WriteEvent.Upsert;
import io.invalidb.query.BudgetExceededException;
import io.invalidb.query.PeriodicStepBudget;
import io.invalidb.query.StepBudget;
import io.invalidb.query.expression.ExpressionPath;
import io.invalidb.query.value.BsonOrder;
import io.invalidb.query.value.StepCost;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * The groups of one live aggregate: turns changes of the unordered result into changes of rows. It
 * stores the contribution of each member, so that it can be removed again. Nothing is recomputed
 * from the members. All computations are exact, so the rows equal those of a fresh {@link
 * OneShotAggregate}.
 *
 * <p>Single-threaded. Relies on the filter stage to deliver the events of each object in order. Not
 * usable any more after one of its methods has thrown.
 */
public final class LiveAggregate {

    private final AggregateSpec spec;
    private final AggregateLimits bounds;
    private final GroupTable groupTable;
    private final Map<String, Member> members = new HashMap<>();
    private long memberBytes;

    /** Creates an aggregate without members. */
    public LiveAggregate(AggregateSpec spec, AggregateLimits bounds) {
        this.spec = spec;
        this.bounds = bounds;
        this.groupTable = new GroupTable(spec, AccumulatorSpec::newRetractable, bounds);
    }

    /**
     * Adds one object of the initial result, before any event.
     *
     * @throws AggregateTooLargeException if a limit is exceeded
     * @throws BudgetExceededException if the object is too expensive to read
     */
    public void add(String id, VersionStamp stamp, BsonDocument document) {
        addMember(id, new Member(stamp, spec.contribution(document)));
    }

    /** Returns the version stamps of the members, by id. */
    public Map<String, VersionStamp> members() {
        Map<String, VersionStamp> stamps = new HashMap<>(members.size() * 2);
        members.forEach((id, member) -> stamps.put(id, member.stamp()));
        return stamps;
    }

    /** Returns the estimated heap in bytes of members and groups. */
    public long bytes() {
        return memberBytes + groupTable.bytes();
    }

    /** Returns one row for each group, in the order of {@code _id}. */
    public List<BsonDocument> rows() {
        return groupTable.rows();
    }

    /**
     * Applies a change of the unordered result; fails as {@link #add} does.
     *
     * @param periodicStepBudget budget of the cell that found the change
     * @return the events: none, that of one row, or those of the groups that the object leaves and
     *     enters
     */
    public List<GroupEvent> apply(MatchEvent match, PeriodicStepBudget periodicStepBudget) {
        WriteEvent write = match.write();
        Member known = members.get(write.id());
        if (known != null && !write.stamp().isAfter(known.stamp())) {
            return List.of();
        }
        return periodicStepBudget.run(stepBudget -> {
            Member next = match.type() == MatchType.REMOVE
                    ? null
                    : write.upsert().map(upsert -> member(upsert, stepBudget)).orElse(null);
            pay(known, stepBudget);
            pay(next, stepBudget);
            List<GroupEvent> events = replace(write.id(), known, next);
            events.forEach(event -> StepCost.spend(event.row(), stepBudget));
            return events;
        });
    }

    private Member member(Upsert upsert, StepBudget stepBudget) {
        return new Member(
                upsert.stamp(), spec.contribution(new ExpressionPath.Values(upsert.afterImage(), stepBudget)));
    }

    private void pay(@Nullable Member member, StepBudget stepBudget) {
        if (member != null) {
            member.contribution().pay(stepBudget);
            groupTable.pay(member.contribution(), stepBudget);
        }
    }

    private List<GroupEvent> replace(String id, @Nullable Member known, @Nullable Member next) {
        Map<BsonValue, Optional<BsonDocument>> before = new TreeMap<>(BsonOrder.INSTANCE);
        if (known != null) {
            before.put(known.key(), groupTable.row(known.key()));
            removeMember(id, known);
        }
        if (next != null) {
            before.computeIfAbsent(next.key(), groupTable::row);
            addMember(id, next);
        }
        List<GroupEvent> events = new ArrayList<>(2);
        before.forEach((key, row) ->
                change(key, row.orElse(null), groupTable.row(key).orElse(null)).ifPresent(events::add));
        return events;
    }

    private void addMember(String id, Member member) {
        members.put(id, member);
        groupTable.add(member.contribution());
        memberBytes += member.contribution().bytes();
        bounds.requireMembers(members.size());
        bounds.requireBytes(bytes());
    }

    private void removeMember(String id, Member member) {
        members.remove(id);
        groupTable.remove(member.contribution());
        memberBytes -= member.contribution().bytes();
    }

    private static Optional<GroupEvent> change(
            BsonValue key, @Nullable BsonDocument before, @Nullable BsonDocument after) {
        if (after == null) {
            return Optional.ofNullable(before)
                    .map(removed -> new GroupEvent(MatchType.REMOVE, new BsonDocument(AggregateSpec.ID, key)));
        }
        if (before == null) {
            return Optional.of(new GroupEvent(MatchType.ADD, after));
        }
        return isSame(after, before) ? Optional.empty() : Optional.of(new GroupEvent(MatchType.CHANGE, after));
    }

    /**
     * Returns whether two rows of the same fields are equal. Unchanged values of other members are
     * mostly identical objects, and may be large.
     */
    private static boolean isSame(BsonDocument row, BsonDocument other) {
        Iterator<BsonValue> others = other.values().iterator();
        return row.values().stream().allMatch(value -> isSame(value, others.next()));
    }

    /**
     * Returns whether two values are equal exactly. Documents are equal in Java whatever the order
     * of their fields, and in BSON whatever the types of their numbers.
     */
    @SuppressWarnings("ReferenceEquality")
    private static boolean isSame(BsonValue one, BsonValue other) {
        return one == other || (one.equals(other) && BsonOrder.INSTANCE.compare(one, other) == 0);
    }

    /** A member and its contribution. */
    private record Member(VersionStamp stamp, Contribution contribution) {

        BsonValue key() {
            return contribution.key();
        }
    }
}
