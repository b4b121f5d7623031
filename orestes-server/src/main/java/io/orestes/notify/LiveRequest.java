package io.orestes.notify;

import io.invalidb.query.Filter;
import java.util.Optional;

/**
 * What a subscriber asks for.
 *
 * @param bucket the class
 * @param filter the subscriber's own filter
 * @param readable which objects the subscriber may read
 * @param initial whether the result so far is wanted
 * @param selection which events are wanted
 * @param resumeAfter the last event this subscriber saw of the same query, if it had one
 */
public record LiveRequest(
        String bucket,
        Filter filter,
        Filter readable,
        boolean initial,
        EventSelection selection,
        Optional<EventId> resumeAfter) {}
