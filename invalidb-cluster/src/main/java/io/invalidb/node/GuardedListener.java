package io.invalidb.node;

import io.invalidb.matching.FailedQuery;
import io.invalidb.model.MatchEvent;
import io.invalidb.query.PeriodicStepBudget;
import java.lang.System.Logger.Level;

/**
 * A decorator that catches and logs what a listener throws, so that the calling cell continues. The
 * cell has further events to deliver and further queries to serve.
 */
record GuardedListener(MatchListener listener) implements MatchListener {

    private static final System.Logger log = System.getLogger(GuardedListener.class.getName());

    @Override
    public void onMatch(MatchEvent event, PeriodicStepBudget periodicStepBudget) {
        guard(event.queryId(), () -> listener.onMatch(event, periodicStepBudget));
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
