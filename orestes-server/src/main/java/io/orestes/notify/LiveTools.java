package io.orestes.notify;

import io.orestes.read.Rendering;
import io.orestes.store.ObjectStore;
import io.vertx.core.Vertx;
import java.time.InstantSource;
import java.util.function.Consumer;

/**
 * What all live queries of this server work with.
 *
 * @param onIdle called whenever a subscriber of a query has left
 * @param onDeath called when a query must not be joined any more
 */
record LiveTools(
        Vertx vertx,
        ObjectStore store,
        Executions executions,
        Rendering rendering,
        LiveConfig config,
        InstantSource clock,
        Consumer<LiveQuery> onIdle,
        Consumer<LiveQuery> onDeath) {}
