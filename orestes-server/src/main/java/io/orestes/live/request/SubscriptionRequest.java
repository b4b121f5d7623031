package io.orestes.live.request;

import io.invalidb.aggregation.AggregateSpec;
import io.invalidb.query.filter.Filter;
import io.invalidb.sorting.WindowSpec;
import io.orestes.auth.rights.AccessControl;
import io.orestes.auth.token.Caller;
import io.orestes.invalidb.MatchQuery;
import io.orestes.live.event.EventId;
import io.orestes.live.event.EventSelection;
import java.util.Optional;

/**
 * A parsed request for a subscription: caller, query, selection of events and the position to
 * resume after.
 *
 * @param caller the subscriber; the subscription ends at the latest with the caller's rights
 * @param bucket the class
 * @param filter the subscriber's own filter
 * @param window bounds of the ordered result; absent for a query without an order
 * @param aggregate aggregate to report instead of objects; absent in a query with a window
 * @param initial whether the initial result is requested
 * @param selection the requested events
 * @param resumeAfter the last event that this subscriber received of the same query, if any
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
     * Returns whether it starts with the result: if that is requested, or if the client cannot
     * resume.
     */
    public boolean isResultWanted() {
        return initial || resumeAfter.isPresent();
    }

    /**
     * Returns the shared query, which is equal for the same part of the same objects with the same
     * rights.
     */
    public MatchQuery query() {
        MatchQuery members = MatchQuery.of(bucket, filter.and(readable()));
        Optional<String> form = window.map(Object::toString).or(() -> aggregate.map(Object::toString));
        return form.map(text -> new MatchQuery(members.id() + "&" + text, bucket, members.filter()))
                .orElse(members);
    }

    /** Returns the condition for objects that the subscriber may read. */
    public Filter readable() {
        return AccessControl.readCondition(caller.principal()).orElse(Filter.ALL);
    }
}
