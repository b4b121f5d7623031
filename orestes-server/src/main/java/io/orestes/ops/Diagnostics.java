package io.orestes.ops;

import io.vertx.core.Future;

/**
 * The diagnostics of the server for admins: its coordination and its internal queues. Thread-safe.
 * No method fails or takes much longer than {@link Health#PROBE_TIMEOUT}.
 */
public interface Diagnostics {

    /** Returns the current state of the coordination, as far as it is available. */
    Future<CoordinationState> coordination();

    /** Returns the state of the queues. */
    Future<QueueState> queues();
}
