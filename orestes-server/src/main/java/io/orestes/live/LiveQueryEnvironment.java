package io.orestes.live;

import io.orestes.live.event.EventLogBudget;
import io.orestes.live.execution.LiveQueryExecutor;
import io.orestes.live.execution.LiveQueryMemoryBudget;
import io.orestes.live.request.LiveConfig;
import io.orestes.read.response.JsonRenderer;
import io.orestes.store.ObjectStore;
import io.vertx.core.Vertx;
import java.time.InstantSource;
import java.util.function.Consumer;

/**
 * The shared environment of all live queries of this server: store, executor, budgets,
 * configuration and callbacks.
 *
 * @param eventLogBudget the budget for the events of all of them
 * @param budget the budget for their windows and aggregates
 * @param onIdle called whenever a subscriber of a query has left
 * @param onEnded called when a query must not be joined any more
 */
record LiveQueryEnvironment(
        Vertx vertx,
        ObjectStore store,
        LiveQueryExecutor executor,
        JsonRenderer rendering,
        LiveConfig config,
        EventLogBudget eventLogBudget,
        LiveQueryMemoryBudget budget,
        InstantSource clock,
        Consumer<LiveQuery> onIdle,
        Consumer<LiveQuery> onEnded) {}
