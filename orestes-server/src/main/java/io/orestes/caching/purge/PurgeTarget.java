package io.orestes.caching.purge;

import io.vertx.core.Vertx;
import io.vertx.core.http.RequestOptions;
import java.time.Duration;
import java.util.Optional;

/**
 * A shared cache that can be purged, with the properties of its kind: protocol, batch size and
 * connections.
 */
public sealed interface PurgeTarget permits VarnishTarget, CdnTarget {

    /** Returns the number of parallel connections. */
    int connections();

    /**
     * Returns how many more requests may be sent on a lane with {@code underWay} unconfirmed ones.
     */
    int remainingSendWindow(int underWay);

    /** Returns whether it stores responses by URL, so that each requested URL must be purged. */
    boolean isKeyedByUrl();

    /**
     * Returns whether it may store a response that was on its way for longer than
     * {@link PurgeConfig#repetitionDelay}. Such a response may arrive after both of its purges.
     */
    boolean mayKeepLateResponses();

    /** Returns the longest pause between attempts to connect. */
    Duration maxRetryDelay();

    /** Returns the request for its read counters; empty if its kind has none. */
    Optional<RequestOptions> countersRequest(PurgeConfig config);

    /** Returns the factory of the connections of one lane. */
    PurgeConnectionFactory connector(Vertx vertx, PurgeConfig config);
}
