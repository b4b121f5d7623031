package io.orestes.live.request;

import io.invalidb.aggregation.AggregateLimits;
import java.time.Duration;

/**
 * Limits of live queries.
 *
 * @param resumeWindow time for which a query without subscribers stays active, and for which
 *     its events are retained for clients that reconnect; {@code live.resume-window}
 * @param retainedEvents maximum number of events retained for each query;
 *     {@code live.retained-events}
 * @param retainedBytes maximum heap for the events of all queries together, by estimate;
 *     {@code live.retained-bytes}
 * @param maxResultBytes maximum heap for the windows and aggregates of all queries together, by
 *     estimate; {@code live.held-bytes}
 * @param maxResult maximum number of objects in an initial result; {@code live.max-result}
 * @param maxWindow maximum sum of offset and limit of a sorted query; {@code live.max-window}
 * @param slack initial number of objects behind its window that a sorted query maintains;
 *     {@code live.slack}
 * @param renewalInterval minimum time from one execution of a sorted query to its next;
 *     {@code live.renewal-interval}
 * @param aggregates maximum size of a live aggregate; {@code live.max-members},
 *     {@code live.max-groups}, {@code live.max-aggregate}
 * @param maxPendingBytes maximum unsent bytes of one subscriber's connection before it is
 *     closed; {@code live.max-pending}
 * @param maxPerSocket maximum number of subscriptions of one WebSocket;
 *     {@code live.max-per-socket}
 * @param heartbeat time between the comments that keep an event stream open;
 *     {@code live.heartbeat}
 * @param socketDelay delay of an event on a WebSocket after the response to its write, so that
 *     a writer that listens to its own writes gets the response first (protocol
 * 18.3); {@code live.socket-delay}
 */
public record LiveConfig(
        Duration resumeWindow,
        int retainedEvents,
        long retainedBytes,
        long maxResultBytes,
        int maxResult,
        int maxWindow,
        int slack,
        Duration renewalInterval,
        AggregateLimits aggregates,
        long maxPendingBytes,
        int maxPerSocket,
        Duration heartbeat,
        Duration socketDelay) {}
