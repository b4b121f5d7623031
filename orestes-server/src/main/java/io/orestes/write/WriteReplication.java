package io.orestes.write;

import io.orestes.model.WriteOutcome;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Optional;

/**
 * The port through which a committed write is replicated to the other servers of the group. They
 * have to know of a write before it is answered. Thread-safe.
 */
public interface WriteReplication {

    /** There are none. */
    WriteReplication NONE = new WriteReplication() {
        @Override
        public void requireMembership() {}

        @Override
        public Future<Optional<Duration>> written(WriteOutcome writeOutcome, Future<Optional<Duration>> here) {
            return here;
        }
    };

    /**
     * Fails with {@code UNAVAILABLE} while this server has lost touch with its group: nobody would
     * hear of its writes.
     */
    void requireMembership();

    /**
     * Tells all others what was committed and succeeds when each of them, and this server, has
     * announced it to its caches and queries, or has been declared gone; fails with {@code
     * UNAVAILABLE} when that takes too long, and the write stands.
     *
     * @param here what this server does itself; see {@link WritePipeline#announce}
     * @return for how long the results of the object's class that any of them cached have not
     *     changed; empty if they may have
     */
    Future<Optional<Duration>> written(WriteOutcome writeOutcome, Future<Optional<Duration>> here);
}
