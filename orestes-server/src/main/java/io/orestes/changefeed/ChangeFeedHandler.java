package io.orestes.changefeed;

import io.orestes.model.WriteOutcome;
import io.vertx.core.Future;

/** The handler of what the consumer of a change feed finds. */
public interface ChangeFeedHandler {

    /** Returns whether a name is that of a class; other collections are ignored. */
    boolean isClass(String bucket);

    /**
     * Publishes a write of another program to all servers; succeeds when they have acknowledged.
     */
    Future<Void> publish(WriteOutcome outcome);

    /**
     * Makes all servers drop the cached state of a class, because writes to it were missed; of all
     * classes if the name is empty.
     */
    Future<Void> invalidate(String bucket);
}
