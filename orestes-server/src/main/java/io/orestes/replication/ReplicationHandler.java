package io.orestes.replication;

import io.orestes.caching.PeerCacheAccess;
import io.orestes.model.ObjectRef;
import io.orestes.model.WriteOutcome;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * The handler of messages from other servers, with the caches that they concern. Its calls must be
 * quick, and may be repeated.
 */
public interface ReplicationHandler {

    /** The handler of a server that has not entered; it ignores all messages and has no caches. */
    ReplicationHandler NONE = new ReplicationHandler() {
        @Override
        public PeerCacheAccess caches() {
            throw new IllegalStateException("This server has not entered its group");
        }

        @Override
        public Future<Optional<Duration>> applyWrite(String member, WriteOutcome writeOutcome) {
            return Future.succeededFuture(Optional.empty());
        }

        @Override
        public void onMemberFailed(String member) {}

        @Override
        public void onMemberDeparted(String process) {}

        @Override
        public void takeOver() {}

        @Override
        public void onWritesMissed(String bucket) {}

        @Override
        public void onRightsChanged(ObjectRef user) {}

        @Override
        public Future<Void> pause(String turn, Set<String> buckets) {
            return Future.succeededFuture();
        }

        @Override
        public Future<Void> resume(String turn) {
            return Future.succeededFuture();
        }

        @Override
        public Future<Void> onSchemaChanged() {
            return Future.succeededFuture();
        }

        @Override
        public Future<Void> onIndexesChanged(String bucket) {
            return Future.succeededFuture();
        }

        @Override
        public Future<Void> synchronize(boolean isFirst) {
            return Future.succeededFuture();
        }

        @Override
        public void invalidateAll() {}
    };

    /** Returns the caches that messages about copies and the sketch concern. */
    PeerCacheAccess caches();

    /**
     * Applies a committed write of a member; succeeds when this server's caches and queries are
     * updated.
     */
    Future<Optional<Duration>> applyWrite(String member, WriteOutcome writeOutcome);

    /** Handles the failure of a member: its last announcements may not have reached all. */
    void onMemberFailed(String member);

    /**
     * Handles the end of any membership.
     *
     * @param process its name in the store; empty if it has none
     */
    void onMemberDeparted(String process);

    /**
     * Continues the unfinished work of an ended member in the store, on the first of the remaining
     * members.
     */
    void takeOver();

    /**
     * Drops the cached state of a class, or of all classes if the name is empty, because some
     * writes are unknown.
     */
    void onWritesMissed(String bucket);

    /** Applies changed rights of a user. */
    void onRightsChanged(ObjectRef user);

    /**
     * Pauses classes whose stored objects another server reads or changes; succeeds when this
     * server uses none of them.
     */
    Future<Void> pause(String turn, Set<String> buckets);

    /**
     * Ends the pause of that turn; succeeds when this server uses the stored schema and these
     * classes again.
     */
    Future<Void> resume(String turn);

    /** Applies the schema that another server stored; succeeds when it is in use here. */
    Future<Void> onSchemaChanged();

    /**
     * Applies an index that another server declared, filled or removed; succeeds when this server
     * writes by it.
     */
    Future<Void> onIndexesChanged(String bucket);

    /**
     * Starts after the entry, from which on this server receives all messages; succeeds when it has
     * read all that others can read in the store.
     *
     * @param isFirst whether no member entered before it, so that it finishes the work of
     *     earlier servers
     */
    Future<Void> synchronize(boolean isFirst);

    /** Drops everything in memory, because this server missed messages since it became a member. */
    void invalidateAll();
}
