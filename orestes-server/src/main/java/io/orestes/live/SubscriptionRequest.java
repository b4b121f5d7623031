package io.orestes.live;

import io.invalidb.aggregation.AggregateSpec;
import io.invalidb.query.Filter;
import io.invalidb.sorting.WindowSpec;
import io.orestes.auth.AccessControl;
import io.orestes.auth.Caller;
import io.orestes.invalidb.MatchQuery;
import java.util.Optional;

/**
 * A parsed request for a subscription: caller, query, selection of events and the position to
 * resume after.
 *
 * @param caller who subscribes; the subscription lasts no longer than the rights it came with
 * @param bucket the class
 * @param filter the subscriber's own filter
 * @param window which part of the ordered result; absent for a query without an order
 * @param aggregate what to compute of the result instead of reporting its objects; absent in a
 *     query with a window
 * @param initial whether the result so far is wanted
 * @param selection which events are wanted
 * @param resumeAfter the last event this subscriber saw of the same query, if it had one
 */
public record SubscriptionRequest(
        Caller caller,
        String bucket,
        Filter filter,
        Optional<WindowSpec> window,
        Optional<AggregateSpec> aggregate,
        boolean initial,
        EventSelection selection,
        Optional<EventId> resumeAfter) {

    /**
     * Whether it begins with the result: if that is asked for, and for who cannot go on where it
     * was.
     */
    boolean isResultWanted() {
        return initial || resumeAfter.isPresent();
    }

    /**
     * What it is known by: the same for all who ask for the same part of the same objects with the
     * same rights.
     */
    MatchQuery query() {
        MatchQuery members = MatchQuery.of(bucket, filter.and(readable()));
        Optional<String> form = window.map(Object::toString).or(() -> aggregate.map(Object::toString));
        return form.map(text -> new MatchQuery(members.id() + "&" + text, bucket, members.filter()))
                .orElse(members);
    }

    /** Which objects the subscriber may read. */
    Filter readable() {
        return AccessControl.readCondition(caller.principal()).orElse(Filter.ALL);
    }
}
