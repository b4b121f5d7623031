package io.orestes.coordination;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The coordination interface of one server: group membership, leases, leader election and locks.
 * All methods may be called from any thread and complete on the caller's context. None waits
 * without a bound, and what is not available now fails with {@code UNAVAILABLE}.
 * {@code CoordinatorContract} tests what every implementation must do.
 *
 * <p>The rule everything rests on: <em>when a member has vanished from the list, its membership and
 * its lease have ended.</em> Nobody vanishes before that, however long its process was stopped or
 * its network cut. So a server that is not in the list need not be asked, informed or waited for.
 */
public interface Coordinator {

    /**
     * Enters as a member with an identity that was never used before. To be called again after
     * {@link MembershipListener#lost()}, once what was held in memory is dropped; fails if this
     * server is a member already.
     *
     * @param info what the others should know, e.g. host and port where they reach this server; at
     *     most some KB
     * @return completes when the lease has begun
     */
    Future<Member> join(String info);

    /**
     * Whether this server may act on what it has in memory: whether its lease runs. Costs as much
     * as reading a clock. Says nothing about the moment after.
     */
    boolean isCurrent();

    /**
     * All members as this server saw them last, itself included, ordered by identity; empty unless
     * this server has joined. Who is missing is over (see above); who has just joined may be
     * missing for a moment.
     */
    List<Member> members();

    /** Has a listener told of changes of the list from now on, on one event loop and in order. */
    void listen(MembershipListener listener);

    /**
     * Has a member that cannot be reached taken for gone, whatever it thinks itself. Of two that do
     * this to each other one succeeds, and the other fails as it is no member any more.
     *
     * @return completes when the member has vanished, which takes about as long as a lease; at once
     *     if it had before
     */
    Future<Void> evict(Member member);

    /**
     * Ends the own lease, and then the membership. Completes also if there was none. Locks should
     * be released before.
     */
    Future<Void> leave();

    /**
     * Becomes a candidate for a task that one member of the group does at a time, until it is
     * withdrawn, also across losing the membership and joining again. Throws if it is one already.
     *
     * @param task a name of letters, digits and dashes
     * @param begin is told of each term that begins, on one event loop
     */
    Candidacy lead(String task, Consumer<Term> begin);

    /**
     * The identity of the member that leads a task, as it was told last; empty if nobody does. Who
     * is named may be gone by now. Fails with {@code UNAVAILABLE} where the members meet cannot be
     * asked.
     */
    Future<Optional<String>> leader(String task);

    /**
     * How long this server may go on acting on what it has in memory without hearing of the group;
     * empty where no time ends that.
     */
    Optional<Duration> leaseLeft();

    /** The locks of the group. */
    Locks locks();

    /** Leaves, and lets go of all resources; to be called last. */
    Future<Void> close();

    /** The candidacy of a server for the leadership of one task, until it is withdrawn. */
    interface Candidacy {

        /**
         * Ends the term if there is one, and lets others lead. Completes when somebody else may.
         */
        Future<Void> withdraw();
    }
}
