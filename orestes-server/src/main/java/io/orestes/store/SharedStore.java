package io.orestes.store;

import io.orestes.model.Outcome;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A store on whose objects other processes work, too. What each of them knows about a class beside its objects, which are read anew
 * by everybody, the others have to be told. All methods may be called from any thread; futures complete on the caller's context.
 */
public interface SharedStore {

    /**
     * To be called once, when the other processes can be told and before an index is made. Goes on with indexes that an earlier process did
     * not fill.
     *
     * @param indexesChanged tells all others that the indexes of a bucket are other ones; succeeds when each has done
     *     {@link #indexesChanged}
     */
    void join(Function<String, Future<Void>> indexesChanged);

    /**
     * Goes on with indexes that a process did not fill which is gone, and tries again what fails for now. One that another process is
     * filling meanwhile is filled twice, which does no harm.
     */
    void takeOver();

    /**
     * To be called when all processes can be told what was committed by one that is gone, by which it may not have been told, and what
     * became of a write that has failed because the store did not answer. What fails is told again some time later.
     *
     * @param committed succeeds when all know
     * @param missed succeeds when all count everything in a bucket as changed, as it is not known what of it is
     */
    void announce(Function<Outcome, Future<Void>> committed, Function<String, Future<Void>> missed);

    /**
     * Whether it can be had that the store refuses writes which it gets when the lease of their process is over, so that nothing comes late of a
     * process that is gone; see {@link #fence}. False where the store tells what was written, by whomever.
     */
    boolean refusesLateWrites();

    /**
     * To be called once, when this process is a member of its group: from then on the store refuses, if it can, writes of objects which it gets when the
     * lease is over.
     *
     * @param leaseLeft how long the lease still runs; empty if nothing ends it
     * @return completes when that is so
     */
    Future<Void> fence(Supplier<Optional<Duration>> leaseLeft);

    /**
     * Evicts what this process remembers of an object that a later state, or its end, has followed. To be called with every outcome that
     * another process or program reports; outcomes of this process do no harm.
     */
    void evictBefore(Outcome later);

    /** Whether something may have been written of which nobody was told, nor is going to be when this process ends. */
    boolean isInDoubt();

    /** What this process is called there; no other one ever is. Some 100 letters, digits and signs at most. */
    String process();

    /**
     * To be called when another process is gone: has what it had begun there and not ended given up, which would be in the way of others.
     *
     * @param other its name
     */
    Future<Void> abandon(String other);

    /**
     * Does the same for all other processes. To be called by the first process of a group, when no
     * other one is a member.
     */
    Future<Void> abandonOthers();

    /** Takes over what another process declared or removed; succeeds when nobody here writes without knowing it. */
    Future<Void> indexesChanged(String bucket);

    /**
     * Holds up reads and refuses changes as {@link ObjectStore#rewrite} does, while another process rewrites or drops these buckets;
     * succeeds when no change that was decided before is under way here. Doing it twice is doing it once.
     */
    Future<Void> pause(Set<String> buckets);

    /**
     * Ends that, or makes up for not having been told: what was decided about these buckets before is refused from now on.
     *
     * @param dropped those of them that are no more
     */
    Future<Void> resume(Set<String> buckets, Set<String> dropped);
}
