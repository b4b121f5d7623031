package io.orestes.group;

import io.orestes.model.WriteOutcome;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Optional;

/**
 * The port through which a server replicates its writes and the state of its caches to the other
 * servers of its group. They have to apply a write before it is acknowledged. Thread-safe.
 */
public interface Replication {

    /** The replication of a server that has no other servers, now and later. */
    Replication STANDALONE = new Replication() {
        @Override
        public boolean isStandalone() {
            return true;
        }

        @Override
        public boolean isCurrent() {
            return true;
        }

        @Override
        public void requireMembership() {}

        @Override
        public Future<Optional<Duration>> replicate(WriteOutcome writeOutcome, Future<Optional<Duration>> localResult) {
            return localResult;
        }

        @Override
        public Future<Void> replicateAdmission(String key, Duration time) {
            return Future.succeededFuture();
        }

        @Override
        public void replicateInvalidation(String key) {}

        @Override
        public void replicatePurge() {}

        @Override
        public void replicateClear() {}

        @Override
        public Future<Void> awaitAcknowledged() {
            return Future.succeededFuture();
        }
    };

    /** Returns whether this server never has other servers. */
    boolean isStandalone();

    /**
     * Returns whether this server still belongs to its group. Then it receives all writes of others
     * before their clients are answered. Only then it may send cached responses or say which keys
     * are stale. Cheap.
     */
    boolean isCurrent();

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
     * @param localResult the announcement by this server itself
     * @return time for which the results of the object's class that any of the servers cached have
     *     not changed; empty if they may have
     */
    Future<Optional<Duration>> replicate(WriteOutcome writeOutcome, Future<Optional<Duration>> localResult);

    /**
     * Reports to all others that caches may retain the key for {@code time} from now on. Completes
     * on the caller's context when all others have acknowledged.
     */
    Future<Void> replicateAdmission(String key, Duration time);

    /**
     * Reports to all others that the key has a newer state; {@link #awaitAcknowledged} waits for
     * the acknowledgements.
     */
    void replicateInvalidation(String key);

    /** Requests all others to purge every copy and to count copies that remain as stale. */
    void replicatePurge();

    /** Requests all others to drop everything. */
    void replicateClear();

    /**
     * Succeeds on the caller's context when all others have acknowledged every {@link
     * #replicateInvalidation} before this call.
     */
    Future<Void> awaitAcknowledged();
}
