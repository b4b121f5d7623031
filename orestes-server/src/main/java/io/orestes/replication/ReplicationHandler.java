package io.orestes.replication;

import io.orestes.model.ObjectRef;
import io.orestes.model.WriteOutcome;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * The handler of messages from other servers that concern more than the sketch. Its calls must be
 * quick, and may be repeated.
 */
public interface ReplicationHandler {

    /** Those of a server that has not entered. */
    ReplicationHandler NONE = new ReplicationHandler() {
        @Override
        public Future<Optional<Duration>> announce(String member, WriteOutcome writeOutcome) {
            return Future.succeededFuture(Optional.empty());
        }

        @Override
        public void vanished(String member) {}

        @Override
        public void departed(String process) {}

        @Override
        public void takeOver() {}

        @Override
        public void missed(String bucket) {}

        @Override
        public void rightsChanged(ObjectRef user) {}

        @Override
        public Future<Void> pause(String turn, Set<String> buckets) {
            return Future.succeededFuture();
        }

        @Override
        public Future<Void> resume(String turn) {
            return Future.succeededFuture();
        }

        @Override
        public Future<Void> schemaChanged() {
            return Future.succeededFuture();
        }

        @Override
        public Future<Void> indexesChanged(String bucket) {
            return Future.succeededFuture();
        }

        @Override
        public Future<Void> begin(boolean isFirst) {
            return Future.succeededFuture();
        }

        @Override
        public void forgetAll() {}
    };

    /**
     * That member told of something committed; succeeds when this server's caches and queries know.
     */
    Future<Optional<Duration>> announce(String member, WriteOutcome writeOutcome);

    /** That member is gone without having said so: what it told may not have been told to all. */
    void vanished(String member);

    /**
     * A member has departed, in whatever way.
     *
     * @param process its name in the store; empty if it has none
     */
    void departed(String process);

    /**
     * A member is gone, in whatever way, and of those that are left this one goes on with what it
     * had begun in the store.
     */
    void takeOver();

    /**
     * Objects of a class, or of all classes if the name is empty, may have changed in ways that
     * nobody knows.
     */
    void missed(String bucket);

    /** What a user may do is not what it was. */
    void rightsChanged(ObjectRef user);

    /**
     * Another server looks at or changes stored objects of these classes; succeeds when this one
     * leaves them alone.
     */
    Future<Void> pause(String turn, Set<String> buckets);

    /**
     * The server that has that turn is done; succeeds when this one goes by the stored schema, and
     * on with these classes.
     */
    Future<Void> resume(String turn);

    /** Another server stored another schema; succeeds when this one goes by it. */
    Future<Void> schemaChanged();

    /** Another server declared, filled or removed an index; succeeds when this one writes by it. */
    Future<Void> indexesChanged(String bucket);

    /**
     * This server has entered and is told everything from now on: succeeds when it knows what all
     * others can read in the store.
     *
     * @param isFirst whether nobody has entered before it, so that what servers before left
     *     unfinished is for this one
     */
    Future<Void> begin(boolean isFirst);

    /**
     * This server has not heard of everything since it became a member: nothing that it remembers
     * may be used.
     */
    void forgetAll();
}
