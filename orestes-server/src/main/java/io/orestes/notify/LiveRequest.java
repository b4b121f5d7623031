package io.orestes.notify;

import io.invalidb.query.Filter;
import io.orestes.auth.AccessControl;
import io.orestes.auth.Caller;
import java.util.Optional;

/**
 * What a subscriber asks for.
 *
 * @param caller who subscribes; the subscription lasts no longer than the rights it came with
 * @param bucket the class
 * @param filter the subscriber's own filter
 * @param initial whether the result so far is wanted
 * @param selection which events are wanted
 * @param resumeAfter the last event this subscriber saw of the same query, if it had one
 */
public record LiveRequest(
        Caller caller,
        String bucket,
        Filter filter,
        boolean initial,
        EventSelection selection,
        Optional<EventId> resumeAfter) {

    /** Which objects the subscriber may read. */
    Filter readable() {
        return AccessControl.readCondition(caller.principal()).orElse(Filter.ALL);
    }
}
