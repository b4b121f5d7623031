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

    /** None that anybody told this server of. */
    SharedCaches NONE = new SharedCaches() {
        @Override
        public boolean arePurged() {
            return false;
        }

        @Override
        public boolean keepLateAnswers() {
            return false;
        }

        @Override
        public void purge(String path) {}

        @Override
        public void purgeSpelling(String uri) {}

        @Override
        public void purgeBelow(String path) {}

        @Override
        public Future<Void> settled() {
            return Future.succeededFuture();
        }

        @Override
        public Future<Boolean> confirmed(Duration longest) {
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
        public Future<List<SharedCacheCounters>> counts() {
            return Future.succeededFuture(List.of());
        }
    };

    /** Whether there are any. */
    boolean arePurged();

    /**
     * Whether one of them may keep an answer that comes after the purges that were meant for it.
     * What nobody has read since it was purged may then be kept all the same.
     */
    boolean keepLateAnswers();

    /**
     * Has them forget an answer: what they keep under its canonical path with its query, or under
     * its surrogate key.
     */
    void purge(String path);

    /**
     * Has those that know answers by their URLs alone forget what they keep under this one, spelled
     * exactly so.
     */
    void purgeSpelling(String uri);

    /**
     * Has them forget whatever begins with {@code path}, of letters, digits, {@code _}, {@code .}
     * and {@code /}.
     */
    void purgeBelow(String path);

    /**
     * Succeeds on the caller's context when they confirmed all they were told before this call. Who
     * does not within the deadline is not waited for; until it has caught up, later calls do not
     * wait for it either.
     */
    Future<Void> settled();

    /**
     * How far behind they are at most: what was replaced longer before this call, by a write that
     * was answered, none of them holds any more, nor will it, as they have confirmed twice that
     * they forgot it. Empty if that is not known: there are none, or not all have forgotten what
     * servers before this one left them with, or one refuses to. Succeeds on the caller's context.
     */
    Future<Optional<Duration>> lag();

    /**
     * Tells whether all of them have confirmed twice what they were told before this call, so that
     * they hold nothing either that was on its way to them. Waits for the first time as {@link
     * #settled} does, or for longer and, if all have confirmed, until the repetition was answered
     * or comes later than the deadline: a good second.
     *
     * @param longest for how long the first confirmation is waited for at least, also of those that
     *     are late
     */
    Future<Boolean> confirmed(Duration longest);

    /** Each of them, for those who operate the server. */
    List<PurgeTargetState> targets();

    /** What each of them tells of its reads, asked now; completes on the caller's context. */
    Future<List<SharedCacheCounters>> counts();
}
