package io.orestes.coordination;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The coordination interface of one server: group membership, leases, leader election and locks.
 * All methods may be called from any thread and complete on the caller's context. All waits are
 * bounded, and a service that is unavailable fails with {@code UNAVAILABLE}.
 * {@code CoordinatorContract} tests what every implementation must do.
 *
 * <p>The rule everything rests on: <em>when a member has vanished from the list, its membership and
 * its lease have ended.</em> No member vanishes before that, however long its process was stopped
 * or its network cut. So no server needs to ask, inform or wait for a server that is not in the
 * list.
 */
public interface Coordinator {

    /**
     * Enters as a member with an identity that was never used before. Must be called again after
     * {@link MembershipListener#membershipLost()}, once the state in memory is dropped. Fails if
     * this server is a member already.
     *
     * @param info information for the others, e.g. host and port of this server; at most some
     *     KB
     * @return completes when the lease has begun
     */
    Future<Member> join(String info);

    /**
     * Returns whether the lease runs, so that this server may use its state in memory. Costs as
     * much as reading a clock. The result is valid only at this moment.
     */
    boolean isCurrent();

    /**
     * Returns all members in the last observed list, this server included, ordered by identity;
     * empty unless this server has joined. A missing member has ended (see above), or has just
     * joined.
     */
    List<Member> members();

    /**
     * Adds a listener to changes of the list from now on; calls come on one event loop and in
     * order.
     */
    void listen(MembershipListener listener);

    /**
     * Evicts an unreachable member, whatever its own view. Of two members that evict each other one
     * succeeds, and the other fails because it is no member any more.
     *
     * @return completes when the member has vanished, which takes about as long as a lease; at
     *     once if it had before
     */
    Future<Void> evict(Member member);

    /**
     * Ends this server's lease, and then its membership. Completes also if there was none. Locks
     * should be released before.
     */
    Future<Void> leave();

    /**
     * Becomes a candidate for a task that one member of the group leads at a time. The candidacy
     * lasts until it is withdrawn, even if the membership is lost and entered again. Throws if this
     * server is a candidate already.
     *
     * @param task a name of letters, digits and dashes
     * @param begin receives each term that begins, on one event loop
     */
    Candidacy runForLeader(String task, Consumer<Term> begin);

    /**
     * Returns the identity of the member that leads a task, as last observed; empty if there is
     * none. That member may have departed by now. Fails with {@code UNAVAILABLE} if the
     * coordination service is unreachable.
     */
    Future<Optional<String>> leader(String task);

    /**
     * Returns how long this server may still use its state in memory without contact to the group;
     * empty if that is unlimited.
     */
    Optional<Duration> remainingLease();

    /** Returns the locks of the group. */
    GroupLocks locks();

    /** Leaves, and releases all resources; to be called last. */
    Future<Void> close();

    /** The candidacy of a server for the leadership of one task, until it is withdrawn. */
    interface Candidacy {

        /**
         * Ends the term if there is one, and lets others lead. Completes when another member may
         * lead.
         */
        Future<Void> withdraw();
    }
}
