package io.orestes.write;

import io.orestes.model.WriteOutcome;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Optional;

/**
 * The port through which a committed write is replicated to the other servers of the group. They
 * have to apply a write before it is acknowledged. Thread-safe.
 */
public interface WriteReplication {

    /** The port of a single server. */
    WriteReplication NONE = new WriteReplication() {
        @Override
        public void requireMembership() {}

        @Override
        public Future<Optional<Duration>> replicate(WriteOutcome writeOutcome, Future<Optional<Duration>> here) {
            return here;
        }
    };

    /**
     * Fails with {@code UNAVAILABLE} while this server is disconnected from its group, which would
     * not receive its writes.
     */
    void requireMembership();

    /**
     * Replicates a committed write. Succeeds when this server and each other one has announced it
     * to its caches and queries, or has been evicted from the group. Fails with {@code UNAVAILABLE}
     * when that takes too long; the write stays committed.
     *
     * @param here the announcement of this server itself; see {@link WritePublisher#applyLocally}
     * @return time for which the results of the object's class that any of the servers cached have
     *     not changed; empty if they may have
     */
    Future<Optional<Duration>> replicate(WriteOutcome writeOutcome, Future<Optional<Duration>> here);
}
