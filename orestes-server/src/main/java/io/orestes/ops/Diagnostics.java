package io.orestes.ops;

import io.vertx.core.Future;

/**
 * The diagnostics of the server for admins: its coordination and its internal queues. Thread-safe.
 * No method fails or takes much longer than {@link Health#PATIENCE}.
 */
public interface Diagnostics {

    /** How it is with the group, as far as it can be known now. */
    Future<CoordinationState> coordination();

    /** What waits. */
    Future<QueueState> queues();
}
