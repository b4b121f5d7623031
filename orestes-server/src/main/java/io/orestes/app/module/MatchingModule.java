package io.orestes.app.module;

import io.orestes.app.config.ServerConfig;
import io.orestes.invalidb.InvalidbClient;
import io.orestes.invalidb.MatchingLatency;
import io.orestes.invalidb.MatchingMetrics;
import io.orestes.live.LiveQueries;
import io.orestes.read.watch.CachedQueryRegistry;
import io.vertx.core.Future;

/**
 * The grid that matches writes against queries, and its latency.
 *
 * @param cachedQueries the first listener to matches, failures and lag
 * @param liveQueries the second listener to matches and failures
 */
public record MatchingModule(
        InvalidbClient client,
        MatchingLatency latency,
        ForwardReference<CachedQueryRegistry> cachedQueries,
        ForwardReference<LiveQueries> liveQueries) {

    /** Starts a grid, which has no query to match before its listeners exist. */
    static MatchingModule start(Platform platform) {
        ServerConfig config = platform.config();
        InvalidbClient client = InvalidbClient.start(platform.vertx(), config.grid(), config.maxQueries());
        MatchingModule started = new MatchingModule(
                client,
                MatchingMetrics.bind(platform.metrics().registry(), client),
                new ForwardReference<>(),
                new ForwardReference<>());
        started.listen();
        return started;
    }

    /** Stops the grid; later writes are not matched. */
    public Future<Void> stop() {
        return client.close();
    }

    /**
     * Passes matches, failures and lag on. A stale query result must be dropped before its write is
     * answered; the push may come after.
     */
    private void listen() {
        client.listen(CompositeListener.of(
                (match, periodicStepBudget) -> cachedQueries.get().accept(match),
                (match, periodicStepBudget) -> liveQueries.get().accept(match, periodicStepBudget)));
        client.listenToFailures(CompositeListener.of(
                (queryId, failure) -> cachedQueries.get().fail(queryId, failure),
                (queryId, failure) -> liveQueries.get().fail(queryId, failure)));
        client.listenToLag(
                isLate -> cachedQueries.get().suspend(isLate),
                () -> cachedQueries.get().invalidateAll());
    }
}
