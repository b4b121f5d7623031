package io.orestes.live.request;

import io.invalidb.aggregation.AggregateSpec;
import io.invalidb.query.filter.Filter;
import io.invalidb.sorting.WindowSpec;
import io.orestes.auth.rights.AccessControl;
import io.orestes.auth.token.Caller;
import io.orestes.invalidb.MatchQuery;
import org.jspecify.annotations.Nullable;

/**
 * A parsed request for a subscription: caller, query and options.
 *
 * @param caller the subscriber; the subscription ends at the latest with the caller's rights
 * @param bucket the class
 * @param filter the subscriber's own filter
 * @param window bounds of the ordered result; null for a query without an order
 * @param aggregate aggregate to report instead of objects; null without one, and with a window
 */
public record SubscriptionRequest(
        Caller caller,
        String bucket,
        Filter filter,
        @Nullable WindowSpec window,
        @Nullable AggregateSpec aggregate,
        SubscriptionOptions options) {

    /**
     * Returns whether it starts with the result: if that is requested, or if the client cannot
     * resume.
     */
    public boolean isResultWanted() {
        return options.initial() || options.resumeAfter() != null;
    }

    /**
     * Returns the shared query, which is equal for the same part of the same objects with the same
     * rights.
     */
    public MatchQuery query() {
        MatchQuery members = MatchQuery.of(bucket, filter.and(readable()));
        Object form = window == null ? aggregate : window;
        return form == null ? members : new MatchQuery(members.id() + "&" + form, bucket, members.filter());
    }

    /** Returns the condition for objects that the subscriber may read. */
    public Filter readable() {
        return AccessControl.readCondition(caller.principal()).orElse(Filter.ALL);
    }
}
