package io.invalidb.node;

import io.invalidb.model.MatchEvent;
import java.lang.System.Logger.Level;
import java.util.function.Consumer;

/** Keeps what a listener throws from its cell, which has other events to tell and other queries to serve. */
record GuardedListener(MatchListener listener) implements Consumer<MatchEvent> {

    private static final System.Logger log = System.getLogger(GuardedListener.class.getName());

    @Override
    public void accept(MatchEvent event) {
        try {
            listener.onMatch(event);
        } catch (RuntimeException | StackOverflowError | AssertionError e) {
            log.log(Level.ERROR, "The listener failed on an event of query " + event.queryId(), e);
        }
    }
}
