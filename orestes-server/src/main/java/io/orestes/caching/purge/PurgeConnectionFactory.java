package io.orestes.caching.purge;

import io.vertx.core.Future;

/** A factory of connections to one purge target. One sender uses it, on its context. */
interface PurgeConnectionFactory {

    /**
     * Opens a connection that reports responses to {@code listener}; fails if the target is
     * unreachable.
     */
    Future<PurgeConnection> open(PurgeConnection.PurgeConnectionListener listener);
}
