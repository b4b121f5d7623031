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

    /** Over how many lanes orders go to it side by side. */
    int lanes();

    /** How many more orders may be sent over a lane on which so many are not answered yet. */
    int room(int underWay);

    /**
     * Whether it keeps answers by their URLs, so that it has to be told each under which an answer
     * was asked for.
     */
    boolean goesByUrl();

    /**
     * Whether it may keep an answer that was under way for longer than {@link PurgeConfig#again};
     * such a one may come after both purges that were meant for it.
     */
    boolean keepsLateAnswers();

    /** The longest break between attempts to reach it. */
    Duration longestBreak();

    /** How it is asked what it has counted; empty if its kind does not tell. */
    Optional<RequestOptions> countsRequest(PurgeConfig config);

    /** How one lane gets through to it. */
    PurgeConnector dialer(Vertx vertx, PurgeConfig config);
}
