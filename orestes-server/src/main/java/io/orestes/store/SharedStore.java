package io.orestes.store;

import io.orestes.model.WriteOutcome;
import io.vertx.core.Future;
import java.util.Set;
import java.util.function.Function;

/**
 * The interface of a store that several processes share, with the coordination that this requires.
 * Each process reads the objects anew, but has to notify the others of what else it knows about a
 * class. All methods may be called from any thread; futures complete on the caller's context.
 */
public interface SharedStore {

    /**
     * To be called once, when the other processes can be told and before an index is made. Goes on
     * with indexes that an earlier process did not fill.
     *
     * @param indexesChanged tells all others that the indexes of a bucket are other ones; succeeds
     *     when each has done {@link #indexesChanged}
     */
    void join(Function<String, Future<Void>> indexesChanged);

    /**
     * Goes on with indexes that a process did not fill which is gone, and tries again what fails
     * for now. One that another process is filling meanwhile is filled twice, which does no harm.
     */
    void takeOver();

    /**
     * Evicts what this process remembers of an object that a later state, or its end, has followed.
     * To be called with every outcome that another process or program reports; outcomes of this
     * process do no harm.
     */
    void evictBefore(WriteOutcome later);

    /**
     * What this process is called there; no other one ever is. Some 100 letters, digits and signs
     * at most.
     */
    String process();

    /**
     * To be called when another process is gone: has what it had begun there and not ended given
     * up, which would be in the way of others.
     *
     * @param other its name
     */
    Future<Void> abandon(String other);

    /**
     * Does the same for all other processes. To be called by the first process of a group, when no
     * other one is a member.
     */
    Future<Void> abandonOthers();

    /**
     * Takes over what another process declared or removed; succeeds when nobody here writes without
     * knowing it.
     */
    Future<Void> indexesChanged(String bucket);

    /**
     * Holds up reads and refuses changes as {@link ObjectStore#rewrite} does, while another process
     * rewrites or drops these buckets; succeeds when no change that was decided before is under way
     * here. Doing it twice is doing it once.
     */
    Future<Void> pause(Set<String> buckets);

    /**
     * Ends that, or makes up for not having been told: what was decided about these buckets before
     * is refused from now on.
     *
     * @param dropped those of them that are no more
     */
    Future<Void> resume(Set<String> buckets, Set<String> dropped);
}
