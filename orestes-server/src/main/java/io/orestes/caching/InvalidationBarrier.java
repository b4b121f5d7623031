package io.orestes.caching;

import io.orestes.caching.purge.SharedCaches;
import io.orestes.group.Replication;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Optional;

/**
 * The barrier behind which earlier invalidations have reached the shared caches and the other
 * servers. Thread-safe.
 */
final class InvalidationBarrier {

    private static final Duration PURGE_TIMEOUT = Duration.ofSeconds(5);

    private final SharedCaches shared;
    private final Replication replication;

    InvalidationBarrier(SharedCaches shared, Replication replication) {
        this.shared = shared;
        this.replication = replication;
    }

    /**
     * Succeeds on the caller's context when the other servers have acknowledged, and the shared
     * caches have confirmed their purges; see {@link SharedCaches#awaitConfirmed}.
     */
    Future<Void> await() {
        return replication.isStandalone()
                ? shared.awaitConfirmed()
                : Future.join(shared.awaitConfirmed(), replication.awaitAcknowledged())
                        .mapEmpty();
    }

    /**
     * Waits for the purges and returns whether all shared caches of this server have confirmed; see
     * {@link SharedCaches#confirmPurges}. Also waits for caches that lag, because its callers
     * accept a delay.
     */
    Future<Boolean> confirm() {
        return replication.awaitAcknowledged().compose(acknowledged -> shared.confirmPurges(PURGE_TIMEOUT));
    }

    /**
     * Returns the maximum lag of purged caches, see {@link SharedCaches#lag}. Empty with several
     * servers, each of which purges.
     */
    Future<Optional<Duration>> lag() {
        return replication.isStandalone() ? shared.lag() : Future.succeededFuture(Optional.empty());
    }
}
