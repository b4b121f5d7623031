package io.invalidb.node;

import io.invalidb.matching.FailedQuery;
import io.invalidb.model.MatchEvent;
import io.invalidb.query.CellBudget;
import java.lang.System.Logger.Level;

/** Keeps what a listener throws from its cell, which has other events to tell and other queries to serve. */
record GuardedListener(MatchListener listener) implements MatchListener {

    private static final System.Logger log = System.getLogger(GuardedListener.class.getName());

    @Override
    public void onMatch(MatchEvent event, CellBudget cellBudget) {
        guard(event.queryId(), () -> listener.onMatch(event, cellBudget));
    }

    @Override
    public void onFailure(FailedQuery failed) {
        guard(failed.query().id(), () -> listener.onFailure(failed));
    }

    private static void guard(String queryId, Runnable call) {
        try {
            call.run();
        } catch (RuntimeException | StackOverflowError | AssertionError e) {
            log.log(Level.ERROR, "The listener failed on an event of query " + queryId, e);
        }
    }
}
