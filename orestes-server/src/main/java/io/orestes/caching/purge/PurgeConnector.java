package io.orestes.caching.purge;

import io.vertx.core.Future;

/** Gets through to one target. Used by one lane, on its context. */
interface PurgeConnector {

    /** An open link whose answers go to {@code listener}; fails if the target cannot be reached. */
    Future<PurgeConnection> open(PurgeConnection.PurgeConnectionListener listener);
}
