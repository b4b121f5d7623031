package io.orestes.live;

import java.util.Optional;

/**
 * The state of one live query as operators see it: filter, subscribers, events and window.
 *
 * @param id identity of this query until it ends
 * @param filter with the condition that its subscribers may read the object, in JSON; its beginning
 *     if it is long
 * @param subscribers those that receive its events, or are about to
 * @param events how many events there were since the query began
 * @param sinceMillis when the query began, milliseconds since 1970
 * @param window the window of a sorted query
 * @param aggregate what is computed of the result instead, in JSON
 */
public record LiveQueryState(
        String id,
        String bucket,
        String filter,
        int subscribers,
        long events,
        long sinceMillis,
        Optional<WindowState> window,
        Optional<String> aggregate) {

    /**
     * The state of the window of one sorted live query: order, bounds, held objects and renewals.
     *
     * @param order in JSON
     * @param held objects that are in memory for it
     * @param slack how many more than the window needs it may hold
     * @param renewals how often it was executed again
     */
    public record WindowState(String order, int offset, int limit, int held, int slack, long renewals) {}
}
