package io.orestes.live;

import org.jspecify.annotations.Nullable;

/**
 * The state of one live query as operators see it: filter, subscribers, events and window.
 *
 * @param id identity of this query until it ends
 * @param filter filter with the condition that its subscribers may read the object, in JSON;
 *     its beginning if it is long
 * @param subscribers number of subscribers, including those about to join
 * @param events number of events since the query began
 * @param sinceMillis when the query began, milliseconds since 1970
 * @param window the window of a sorted query; null for any other
 * @param aggregate the aggregate computed from the result, in JSON; null without one
 */
public record LiveQueryReport(
        String id,
        String bucket,
        String filter,
        int subscribers,
        long events,
        long sinceMillis,
        @Nullable WindowState window,
        @Nullable String aggregate) {

    /**
     * The state of the window of one sorted live query: order, bounds, objects in memory and
     * renewals.
     *
     * @param order in JSON
     * @param size objects in memory
     * @param slack maximum number of objects beyond the window
     * @param renewals number of further executions
     */
    public record WindowState(String order, int offset, int limit, int size, int slack, long renewals) {}
}
