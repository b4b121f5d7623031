package io.orestes.live;

import io.invalidb.aggregation.AggregateLimits;
import java.time.Duration;

/**
 * Limits of live queries.
 *
 * @param resumeWindow how long a query without subscribers stays active, and how long its events
 *     are kept for clients that reconnect; {@code live.resume-window}
 * @param retainedEvents most events kept for each query; {@code live.retained-events}
 * @param retainedBytes most heap for the events of all queries together, by estimate; {@code
 *     live.retained-bytes}
 * @param heldBytes most heap for the windows and aggregates of all queries together, by estimate;
 *     {@code live.held-bytes}
 * @param maxResult largest initial result, in objects; {@code live.max-result}
 * @param maxWindow most objects that the offset and limit of a sorted query may reach to; {@code
 *     live.max-window}
 * @param slack how many objects behind its window a sorted query holds at first; {@code live.slack}
 * @param renewalInterval time from one execution of a sorted query to its next, at least; {@code
 *     live.renewal-interval}
 * @param aggregates how large a live aggregate may become; {@code live.max-members}, {@code
 *     live.max-groups}, {@code live.max-aggregate}
 * @param maxPendingBytes what one subscriber's connection may owe before it is cut off; {@code
 *     live.max-pending}
 * @param maxPerSocket most subscriptions of one WebSocket; {@code live.max-per-socket}
 * @param heartbeat time between the comments that keep an event stream open; {@code live.heartbeat}
 * @param socketDelay how long after the answer to its write a WebSocket gets an event, so that a
 *     writer that listens to its own writes gets the answer first (protocol §18.3); {@code
 *     live.socket-delay}
 */
public record LiveConfig(
        Duration resumeWindow,
        int retainedEvents,
        long retainedBytes,
        long heldBytes,
        int maxResult,
        int maxWindow,
        int slack,
        Duration renewalInterval,
        AggregateLimits aggregates,
        long maxPendingBytes,
        int maxPerSocket,
        Duration heartbeat,
        Duration socketDelay) {}
