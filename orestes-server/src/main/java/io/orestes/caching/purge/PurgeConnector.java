package io.orestes.caching.purge;

import io.vertx.core.Future;

/** A factory of connections to one purge target. One sender uses it, on its context. */
interface PurgeConnector {

    /** An open link whose answers go to {@code listener}; fails if the target cannot be reached. */
    Future<PurgeConnection> open(PurgeConnection.PurgeConnectionListener listener);
}
