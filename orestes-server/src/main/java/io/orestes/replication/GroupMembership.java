package io.orestes.replication;

import io.orestes.coordination.Coordinator;
import io.orestes.coordination.Member;
import io.orestes.coordination.MembershipListener;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.replication.link.DeliveryOutcome;
import io.orestes.replication.link.MemberInfo;
import io.orestes.replication.link.PeerLink;
import io.orestes.replication.link.PeerLinks;
import io.orestes.replication.link.PeerListener;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The membership of this server in its group: its entry and departure, the links to all other
 * members, and what the end of another membership causes. Thread-safe.
 */
final class GroupMembership implements MembershipListener {

    /** The membership of a server that is no member. */
    static final Member NO_MEMBER = new Member("", "");

    private static final Logger log = LoggerFactory.getLogger(GroupMembership.class);
    private static final long RETRY_MILLIS = 500;

    /** Time that a departing server waits for the acknowledgement of its last messages. */
    private static final Duration DEPARTURE_TIMEOUT = Duration.ofSeconds(5);

    private final MembershipDependencies services;
    private final Vertx vertx;
    private final Coordinator coordinator;
    private final PeerListener peerListener;
    private final PeerLinks peerLinks;
    private final MemberEvictor memberEvictor;
    private final GroupSynchronization synchronization;
    private final Set<String> formerMembers = ConcurrentHashMap.newKeySet();
    private volatile ReplicationHandler replicationHandler = ReplicationHandler.NONE;
    private volatile Member self = NO_MEMBER;
    private volatile String info = "";
    private volatile boolean isVisibleToOthers;
    private volatile boolean isLeaving;

    GroupMembership(MembershipDependencies services, PeerListener peerListener, PeerLinks peerLinks) {
        this.services = services;
        this.vertx = services.vertx();
        this.coordinator = services.coordinator();
        this.peerListener = peerListener;
        this.peerLinks = peerLinks;
        this.memberEvictor = new MemberEvictor(vertx, coordinator);
        this.synchronization = new GroupSynchronization(services, peerLinks, this::reconcileLinks);
    }

    /** Returns the failure of a request to a server that is no current member. */
    static ApiException notCurrent() {
        return new ApiException(ErrorCode.UNAVAILABLE, "This server is disconnected from its group; try again");
    }

    /** Returns this server's membership; {@link #NO_MEMBER} while it is none. */
    Member self() {
        return self;
    }

    GroupSynchronization synchronization() {
        return synchronization;
    }

    /**
     * Returns whether this server receives all writes of others before their clients are answered.
     */
    boolean isCurrent() {
        return synchronization.isSynchronized() && coordinator.isCurrent();
    }

    /** Returns whether the membership of another server has ended. */
    boolean isFormer(String member) {
        return formerMembers.contains(member);
    }

    /**
     * Listens for other members and joins them. Completes on some thread when this server has the
     * states of all.
     */
    Future<Void> enter(String process, ReplicationHandler handler) {
        replicationHandler = handler;
        synchronization.setHandler(handler);
        coordinator.listen(this);
        PeerGroupConfig config = services.config();
        MessageDispatcher dispatcher = new MessageDispatcher(this, synchronization, handler);
        return peerListener
                .open(config.host(), config.port(), dispatcher)
                .map(port -> config.host() + ":" + port)
                .compose(address -> peerLinks.warmUp(address).map(address))
                .compose(address -> join(new MemberInfo(address, process)));
    }

    private Future<Void> join(MemberInfo published) {
        info = published.text();
        return coordinator.join(info).compose(joined -> {
            startEntry(joined);
            return synchronization.firstSynchronization();
        });
    }

    /** Leaves the group in order, after all messages to the others. */
    Future<Void> leave() {
        isLeaving = true;
        peerLinks.broadcastInOrder(new PeerMessage.MemberDeparture().encode());
        return awaitOrderedAcknowledged(DEPARTURE_TIMEOUT)
                .otherwiseEmpty()
                .compose(acknowledged -> coordinator.leave())
                .onComplete(left -> reset())
                .compose(left -> peerListener.close());
    }

    /**
     * Completes when all others have acknowledged the messages in order before this call; fails
     * with {@code UNAVAILABLE} after the deadline, and while this server is no member.
     */
    Future<Void> awaitOrderedAcknowledged(Duration deadline) {
        // An entering server receives writes already and must acknowledge them.
        return self.equals(NO_MEMBER)
                ? Future.failedFuture(notCurrent())
                : peerLinks.awaitOrderedAcknowledged(deadline);
    }

    private void startEntry(Member joined) {
        isVisibleToOthers = false;
        self = joined;
        reconcileLinks();
        long unused = vertx.setTimer(services.config().settlingTime().toMillis(), later -> markVisible(joined));
    }

    /**
     * Ends the settling time. By now every current member that was missing in the list has observed
     * this server and transfers its state to it.
     */
    private void markVisible(Member joined) {
        isVisibleToOthers = self.equals(joined);
        reconcileLinks();
    }

    /** Opens links to new members, and checks whether this server has the states of all. */
    private synchronized void reconcileLinks() {
        if (self.equals(NO_MEMBER)) {
            return;
        }
        List<Member> members = presentMembers();
        members.stream().filter(member -> !member.equals(self)).forEach(this::openLink);
        if (isVisibleToOthers && members.contains(self)) {
            synchronization.startIfReady(self, members);
        }
    }

    private List<Member> presentMembers() {
        return coordinator.members().stream()
                .filter(member -> !isFormer(member.id()))
                .toList();
    }

    private void openLink(Member member) {
        peerLinks.open(self, member, synchronization::state, reason -> memberEvictor.requestEviction(member, reason));
    }

    /**
     * Ends the membership of another server here, and notifies all others before the waits for it
     * complete.
     *
     * @param isOrderly whether the member notifies each other one itself, after all its messages
     */
    synchronized void removeMember(String member, boolean isOrderly) {
        if (!formerMembers.add(member)) {
            return;
        }
        synchronization.removeMember(member);
        memberEvictor.cancel(member);
        Optional<PeerLink> link = peerLinks.remove(member);
        replicationHandler.caches().removeServer(member, isOrderly);
        if (!isOrderly) {
            replicationHandler.onMemberFailed(member);
            peerLinks.broadcastInOrder(new PeerMessage.MemberFailure(member).encode());
            peerListener.disconnect(member::equals);
        }
        if (isFirst()) {
            replicationHandler.takeOver();
        }
        link.ifPresent(this::close);
        reconcileLinks();
    }

    private boolean isFirst() {
        return presentMembers().stream().findFirst().filter(self::equals).isPresent();
    }

    private void close(PeerLink departed) {
        departed.close(Future.succeededFuture(DeliveryOutcome.MEMBERSHIP_ENDED));
        replicationHandler.onMemberDeparted(MemberInfo.of(departed.member()).process());
    }

    /** Drops the state of the group and everything that may be outdated without it. */
    private synchronized void reset() {
        synchronization.reset();
        self = NO_MEMBER;
        peerLinks.close(Future.failedFuture(notCurrent()));
        peerListener.disconnect(everybody -> true);
    }

    private void joinAgain() {
        coordinator.join(info).onComplete(done -> {
            if (done.succeeded()) {
                startEntry(done.result());
            } else if (!isLeaving) {
                long unused = vertx.setTimer(RETRY_MILLIS, again -> joinAgain());
            }
        });
    }

    @Override
    public void memberJoined(Member member) {
        reconcileLinks();
    }

    @Override
    public void memberLeft(Member member) {
        log.warn("Member {} has left the group", member);
        removeMember(member.id(), false);
    }

    @Override
    public void membershipLost() {
        log.warn("This server is not a member of its group any more: {}", self);
        reset();
        replicationHandler.invalidateAll();
        if (!isLeaving) {
            joinAgain();
        }
    }
}
