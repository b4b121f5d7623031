package io.orestes.caching.purge;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The purgeable shared caches in front of this server, such as Varnish and content delivery
 * networks. Thread-safe.
 */
public interface SharedCaches {

    /** The absence of shared caches, for servers without configured targets. */
    SharedCaches NONE = new SharedCaches() {
        @Override
        public boolean isEnabled() {
            return false;
        }

        @Override
        public boolean mayKeepLateResponses() {
            return false;
        }

        @Override
        public void purge(String path) {}

        @Override
        public void purgeUrl(String uri) {}

        @Override
        public void purgePrefix(String path) {}

        @Override
        public Future<Void> awaitConfirmed() {
            return Future.succeededFuture();
        }

        @Override
        public Future<Boolean> confirmPurges(Duration minWait) {
            return Future.succeededFuture(true);
        }

        @Override
        public Future<Optional<Duration>> lag() {
            return Future.succeededFuture(Optional.empty());
        }

        @Override
        public List<PurgeTargetState> targets() {
            return List.of();
        }

        @Override
        public Future<List<SharedCacheStatistics>> fetchStatistics() {
            return Future.succeededFuture(List.of());
        }
    };

    /** Returns whether there are any. */
    boolean isEnabled();

    /**
     * Returns whether one of them may store a response that arrives after its purges. Then a key
     * without reads since its purge may be cached all the same.
     */
    boolean mayKeepLateResponses();

    /**
     * Purges a response: the copies under its canonical path with its query, or under its surrogate
     * key.
     */
    void purge(String path);

    /** Purges the copies under exactly this URL from caches that store by URL only. */
    void purgeUrl(String uri);

    /**
     * Purges all that begins with {@code path}, of letters, digits, {@code _}, {@code .} and
     * {@code /}.
     */
    void purgePrefix(String path);

    /**
     * Succeeds on the caller's context when they confirmed all earlier purges. A cache that misses
     * the deadline is skipped; until it has caught up, later calls skip it, too.
     */
    Future<Void> awaitConfirmed();

    /**
     * Returns their maximum lag. A state that an answered write replaced earlier than this lag is
     * in none of them and will not return, because all confirmed its purge twice. Empty if it is
     * unknown: there are none, some have not purged the copies of previous servers, or one refuses
     * to. Succeeds on the caller's context.
     */
    Future<Optional<Duration>> lag();

    /**
     * Returns whether all of them have confirmed all earlier purges twice, so that responses on
     * their way are purged, too. Waits for the first confirmation as {@link #awaitConfirmed} does,
     * or for {@code minWait} if that is more. If all have confirmed, it waits for the response to
     * the repetition or its deadline: a good second.
     *
     * @param minWait minimum time of the wait for the first confirmation, also of caches that
     *     lag
     */
    Future<Boolean> confirmPurges(Duration minWait);

    /** Returns the state of each of them for operators. */
    List<PurgeTargetState> targets();

    /** Requests the read counters of each of them; completes on the caller's context. */
    Future<List<SharedCacheStatistics>> fetchStatistics();
}
