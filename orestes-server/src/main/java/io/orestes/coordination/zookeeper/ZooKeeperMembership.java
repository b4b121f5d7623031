package io.orestes.coordination.zookeeper;

import io.orestes.coordination.Member;
import io.orestes.coordination.MembershipListener;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.curator.framework.api.transaction.CuratorOp;
import org.apache.curator.framework.api.transaction.CuratorTransactionResult;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.x.async.api.AsyncTransactionOp;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One membership of this server, represented by an ephemeral node of one session, with renewal of
 * its lease. It lasts from the node's creation until the node's deletion is observed. The node's
 * data never changes, so its version shows whether the member is evicted. Called on the
 * coordinator's context, except for {@link #isCurrent}, {@link #isEnded} and {@link #members}.
 *
 * <p>A renewal of the lease is a write that only checks the node, because a lagging server may
 * answer reads.
 */
final class ZooKeeperMembership implements MembershipListener {

    private static final Logger log = LoggerFactory.getLogger(ZooKeeperMembership.class);

    private static final int NOT_EVICTED = 0;
    private static final int RENEWALS_PER_LEASE = 4;

    private final ZooKeeperSession session;
    private final Member self;
    private final CrossMembershipState server;
    private final MemberList members;
    private final NodeRemover nodeRemover;
    private final LockReleaseWatcher lockReleaseWatcher;
    private final ZooKeeperLocks locks;
    private boolean hasEntered;
    private volatile boolean isEnded;
    private boolean isSweepDue = true;
    private long timer = -1;

    ZooKeeperMembership(ZooKeeperSession session, String info, CrossMembershipState server) {
        this.session = session;
        this.self = Member.entering(info);
        this.server = server;
        this.members = new MemberList(session, this);
        this.nodeRemover = new NodeRemover(session);
        this.lockReleaseWatcher = new LockReleaseWatcher(session, members, nodeRemover, server.transactionResolver());
        this.locks = new ZooKeeperLocks(this, session, nodeRemover, lockReleaseWatcher);
    }

    /** Enters the group; the lease begins last. */
    Future<Member> enter() {
        session.on(ConnectionState.LOST, this::lose);
        return session.multi(builder -> List.of(
                        builder.create().withMode(CreateMode.EPHEMERAL).forPath(path(), ZNode.data(self.info()))))
                .compose(entered -> members.load())
                .compose(loaded -> renewLease())
                .compose(renewed -> startRenewals())
                .map(self);
    }

    /** Fails if the session has ended meanwhile, since nothing would end the renewals. */
    private Future<Void> startRenewals() {
        if (isEnded) {
            return Future.failedFuture(new KeeperException.SessionExpiredException());
        }
        hasEntered = true;
        timer = vertx().setPeriodic(renewalMillis(), tick -> tick());
        session.on(ConnectionState.RECONNECTED, this::tick);
        competeForTasks();
        return Future.succeededFuture();
    }

    Member self() {
        return self;
    }

    ZooKeeperSession session() {
        return session;
    }

    ZooKeeperLocks locks() {
        return locks;
    }

    List<Member> members() {
        return members.members();
    }

    boolean isEnded() {
        return isEnded;
    }

    boolean isCurrent() {
        return !isEnded && server.lease().isValid();
    }

    /** Executes all operations, or none if this server is evicted or no member any more. */
    Future<List<CuratorTransactionResult>> multi(Function<AsyncTransactionOp, List<CuratorOp>> operations) {
        return session.multi(builder -> Stream.concat(
                        Stream.of(builder.check().withVersion(NOT_EVICTED).forPath(path())),
                        operations.apply(builder).stream())
                .toList());
    }

    /** Marks a member as evicted, and deletes its node when its lease must have ended. */
    Future<Void> evict(Member member) {
        String node = ZooKeeperPaths.member(member.id());
        return multi(builder ->
                        List.of(builder.setData().withVersion(NOT_EVICTED).forPath(node, ZNode.data(member.info()))))
                .<Boolean>map(true)
                .recover(failure -> isMarked(node, failure))
                .compose(isMarked -> isMarked ? awaitDeletion(member, node) : Future.succeededFuture())
                .compose(deleted -> members.awaitDeparture(member.id()));
    }

    /**
     * Ends the lease and everything that depends on it, and then the session, which deletes the
     * node.
     */
    Future<Void> end() {
        isEnded = true;
        server.lease().end();
        server.candidates().values().forEach(ZooKeeperCandidate::endMembership);
        vertx().cancelTimer(timer);
        Future<Void> closed = session.close();
        members.close();
        return closed;
    }

    /**
     * Handles the loss of the membership. Listeners are notified only after the entry, as an entry
     * that fails is reported to its caller.
     */
    void lose() {
        if (!isEnded) {
            log.warn("This server is not a member of its group any more: {}", self);
            end().onFailure(failure -> log.warn("The session could not be closed", failure));
            if (hasEntered) {
                server.listeners().forEach(MembershipListener::membershipLost);
            }
        }
    }

    @Override
    public void memberJoined(Member member) {
        server.listeners().forEach(listener -> listener.memberJoined(member));
    }

    @Override
    public void memberLeft(Member member) {
        if (member.equals(self)) {
            lose();
        } else {
            isSweepDue = true;
            lockReleaseWatcher.onMemberLeft(member.id());
            server.listeners().forEach(listener -> listener.memberLeft(member));
            competeForTasks();
        }
    }

    private void tick() {
        endTermsIfLapsed();
        if (session.isConnected()) {
            renewLease().onFailure(failure -> log.debug("The lease was not renewed", failure));
            sweepIfDue();
            competeForTasks();
        }
    }

    private void competeForTasks() {
        server.candidates().values().forEach(candidate -> candidate.tryAcquire(this));
    }

    private void endTermsIfLapsed() {
        if (!server.lease().isValid()) {
            server.candidates().values().forEach(ZooKeeperCandidate::endTerm);
        }
    }

    private Future<Void> renewLease() {
        long sent = System.nanoTime();
        return multi(builder -> List.of())
                .onSuccess(checked -> renewLease(sent))
                .onFailure(this::loseIfNotMember)
                .mapEmpty();
    }

    private void renewLease(long sent) {
        if (!isEnded) {
            endTermsIfLapsed();
            server.lease().renew(sent, session.times().lease());
        }
    }

    private void loseIfNotMember(Throwable failure) {
        if (ZooKeeperSession.is(failure, Code.NONODE, Code.BADVERSION, Code.SESSIONEXPIRED)) {
            lose();
        }
    }

    /**
     * Returns whether the node was marked, by another server or by an earlier attempt without a
     * response; false if it is deleted already.
     */
    private Future<Boolean> isMarked(String node, Throwable failure) {
        return session.read(node).map(found -> {
            if (found.isPresent() && found.get().version() == NOT_EVICTED) {
                throw ApiException.fault(
                        ErrorCode.UNAVAILABLE, "This server cannot evict others: its membership is uncertain", failure);
            }
            return found.isPresent();
        });
    }

    /**
     * Completes when the member's node is deleted. A member that notices its eviction deletes the
     * node itself.
     */
    private Future<?> awaitDeletion(Member member, String node) {
        // By any clock, a lease that is not renewed has ended then.
        Duration maxLease = session.times().lease().plus(session.times().margin());
        Future<Void> deleted = vertx().timer(maxLease.toMillis(), TimeUnit.MILLISECONDS)
                .compose(ended -> nodeRemover.remove(List.of(node)));
        return members.isKnown(member.id()) ? Future.any(members.awaitDeparture(member.id()), deleted) : deleted;
    }

    /** Sweeps on one server only; the others resolve the transactions that block them. */
    private void sweepIfDue() {
        if (isSweepDue && members().stream().findFirst().filter(self::equals).isPresent()) {
            isSweepDue = false;
            lockReleaseWatcher.sweep().onFailure(failure -> isSweepDue = true);
        }
    }

    private String path() {
        return ZooKeeperPaths.member(self.id());
    }

    private long renewalMillis() {
        return session.times().lease().toMillis() / RENEWALS_PER_LEASE;
    }

    private Vertx vertx() {
        return session.context().owner();
    }
}
