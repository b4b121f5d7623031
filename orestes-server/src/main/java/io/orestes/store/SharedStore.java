package io.orestes.store;

import io.orestes.model.WriteOutcome;
import io.vertx.core.Future;
import java.util.Set;
import java.util.function.Function;

/**
 * The interface of a store that several processes share, with the coordination that this requires.
 * Each process reads the objects from the store, but has to notify the others of its other state of
 * a class, such as indexes. All methods may be called from any thread; futures complete on the
 * caller's context.
 */
public interface SharedStore {

    /** The coordination of a store that one process uses alone, which requires nothing. */
    SharedStore UNSHARED = new SharedStore() {
        @Override
        public void join(Function<String, Future<Void>> indexesChanged) {}

        @Override
        public void resumeIndexBuilds() {}

        @Override
        public void evictBefore(WriteOutcome later) {}

        @Override
        public String processName() {
            return "";
        }

        @Override
        public Future<Void> abortTransactionsOf(String other) {
            return Future.succeededFuture();
        }

        @Override
        public Future<Void> abortTransactionsOfOthers() {
            return Future.succeededFuture();
        }

        @Override
        public Future<Void> reloadIndexes(String bucket) {
            return Future.succeededFuture();
        }

        @Override
        public Future<Void> pause(Set<String> buckets) {
            return Future.succeededFuture();
        }

        @Override
        public Future<Void> resume(Set<String> buckets, Set<String> dropped) {
            return Future.succeededFuture();
        }
    };

    /**
     * Joins the group and resumes the filling of indexes that an earlier process left unfinished.
     * To be called once, when the other processes can be notified and before an index is created.
     *
     * @param indexesChanged notifies all others that the indexes of a bucket have changed; succeeds
     *     when each has completed {@link #reloadIndexes}
     */
    void join(Function<String, Future<Void>> indexesChanged);

    /**
     * Resumes the filling of indexes that a departed process left unfinished, and retries temporary
     * failures. An index that another process is filling meanwhile is filled twice, which does no
     * harm.
     */
    void resumeIndexBuilds();

    /**
     * Evicts this process's copy of an object state that a later state or a deletion has followed.
     * To be called with every outcome that another process or program reports; outcomes of this
     * process do no harm.
     */
    void evictBefore(WriteOutcome later);

    /**
     * Returns the name of this process in the store, which is unique over time; empty if it shares
     * the store with no other one. At most about 100 letters, digits and signs.
     */
    String processName();

    /**
     * Aborts the open transactions of a departed process, which would block others. To be called
     * when another process has departed.
     *
     * @param other its name
     */
    Future<Void> abortTransactionsOf(String other);

    /**
     * Aborts the open transactions of all other processes. To be called by the first process of a
     * group, when no other one is a member.
     */
    Future<Void> abortTransactionsOfOthers();

    /**
     * Reloads the indexes that another process declared or removed; succeeds when all writes of
     * this process use them.
     */
    Future<Void> reloadIndexes(String bucket);

    /**
     * Delays reads and refuses changes as {@link ObjectStore#rewrite} does, while another process
     * rewrites or drops these buckets. Succeeds when no change that was decided before is under way
     * here. Idempotent.
     */
    Future<Void> pause(Set<String> buckets);

    /**
     * Ends the pause, or makes up for one that this process missed. Writes to these buckets that
     * were decided before are refused from now on.
     *
     * @param dropped the buckets among them that were dropped
     */
    Future<Void> resume(Set<String> buckets, Set<String> dropped);
}
