package io.orestes.caching.purge;

import io.vertx.core.Future;

/**
 * A factory of connections to one purge target, used by one sender on its context. Used by one
 * lane, on its context.
 */
interface PurgeConnector {

    /** An open link whose answers go to {@code listener}; fails if the target cannot be reached. */
    Future<PurgeConnection> open(PurgeConnection.PurgeConnectionListener listener);
}
