package io.orestes.coordination.zookeeper;

import io.orestes.coordination.Member;
import io.orestes.coordination.MembershipLease;
import io.orestes.coordination.MembershipListener;
import io.orestes.coordination.TransactionResolver;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooDefs.Ids;
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
    private static final int POLLS_PER_LEASE = 4;

    private final Vertx vertx;
    private final ZooKeeperSession zooKeeperSession;
    private final ZooKeeperConfig config;
    private final ZooKeeperPaths zooKeeperPaths;
    private final Member self;
    private final MembershipLease membershipLease;
    private final MembershipCallbacks membershipCallbacks;
    private final MemberList members;
    private final NodeRemover nodeRemover;
    private final LockReleaseWatcher lockReleaseWatcher;
    private volatile boolean isOver;
    private boolean isSweepDue = true;
    private long timer = -1;
    private int claims;

    /**
     * The callbacks of one membership to its coordinator: membership changes, lapsed lease and
     * periodic tick.
     */
    interface MembershipCallbacks extends MembershipListener {

        /** Reports that the lease has run out, temporarily or permanently. */
        void lapsed();

        /** Reports the interval for checks that no watch covers. */
        void tick(ZooKeeperMembership zooKeeperMembership);
    }

    ZooKeeperMembership(
            Vertx vertx,
            Context home,
            ZooKeeperSession zooKeeperSession,
            ZooKeeperConfig config,
            String info,
            MembershipLease membershipLease,
            TransactionResolver transactionResolver,
            MembershipCallbacks membershipCallbacks) {
        this.vertx = vertx;
        this.zooKeeperSession = zooKeeperSession;
        this.config = config;
        this.zooKeeperPaths = new ZooKeeperPaths(config.root());
        this.self = Member.entering(info);
        this.membershipLease = membershipLease;
        this.membershipCallbacks = membershipCallbacks;
        this.members = new MemberList(zooKeeperSession, zooKeeperPaths, this);
        this.nodeRemover = new NodeRemover(vertx, zooKeeperSession, zooKeeperPaths);
        this.lockReleaseWatcher =
                new LockReleaseWatcher(home, zooKeeperSession, config, members, nodeRemover, transactionResolver);
    }

    /** Enters the group; the lease begins last. */
    Future<Member> enter() {
        Op node = Op.create(
                path(), self.info().getBytes(StandardCharsets.UTF_8), Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL);
        return zooKeeperSession
                .multi(List.of(node))
                .compose(entered -> members.refresh())
                .compose(known -> poll())
                .onSuccess(current -> timer = vertx.setPeriodic(pollMillis(), tick -> tick()))
                .map(self);
    }

    Member self() {
        return self;
    }

    ZooKeeperSession session() {
        return zooKeeperSession;
    }

    NodeRemover nodeRemover() {
        return nodeRemover;
    }

    LockReleaseWatcher lockReleaseWatcher() {
        return lockReleaseWatcher;
    }

    List<Member> members() {
        return members.members();
    }

    boolean isEnded() {
        return isOver;
    }

    boolean isCurrent() {
        return !isOver && membershipLease.isValid();
    }

    /** Returns the identifier of the next lock request. */
    LockNode.LockRequestId nextRequestId() {
        claims++;
        return new LockNode.LockRequestId(self.id(), "%08x".formatted(claims));
    }

    /** Returns the check that every change by a member contains. */
    Op checkSelf() {
        return Op.check(path(), NOT_EVICTED);
    }

    /** Returns whether a member is still one; a former member never returns. */
    Future<Boolean> isMember(String id) {
        return zooKeeperSession.exists(zooKeeperPaths.member(id)).map(Optional::isPresent);
    }

    /** Marks a member as evicted, and deletes its node when its lease must have ended. */
    Future<Void> evict(Member member) {
        String node = zooKeeperPaths.member(member.id());
        Op mark = Op.setData(node, member.info().getBytes(StandardCharsets.UTF_8), NOT_EVICTED);
        return zooKeeperSession
                .multi(List.of(checkSelf(), mark))
                .<Boolean>map(true)
                .recover(failure -> isMarked(node, failure))
                .compose(marked -> marked ? untilGone(member, node) : members.refresh());
    }

    /**
     * Ends the lease and everything that depends on it, and then the session, which deletes the
     * node.
     */
    Future<Void> end() {
        isOver = true;
        membershipLease.end();
        membershipCallbacks.lapsed();
        nodeRemover.end();
        vertx.cancelTimer(timer);
        return zooKeeperSession.close();
    }

    /** Handles the loss of the membership. */
    void lose() {
        if (!isOver) {
            log.warn("This server is not a member of its group any more: {}", self);
            end().onFailure(failure -> log.warn("The session could not be closed", failure));
            membershipCallbacks.membershipLost();
        }
    }

    @Override
    public void memberJoined(Member member) {
        membershipCallbacks.memberJoined(member);
    }

    @Override
    public void memberLeft(Member member) {
        if (member.equals(self)) {
            lose();
        } else {
            isSweepDue = true;
            lockReleaseWatcher.onMemberLeft(member.id());
            membershipCallbacks.memberLeft(member);
        }
    }

    private void tick() {
        if (!membershipLease.isValid()) {
            membershipCallbacks.lapsed();
        }
        poll().onFailure(failure -> log.debug("The lease was not renewed", failure));
        members.ensureWatched().onFailure(failure -> log.debug("The members could not be read", failure));
        sweepIfDue();
        membershipCallbacks.tick(this);
    }

    private Future<Void> poll() {
        long sent = System.nanoTime();
        return zooKeeperSession
                .multi(List.of(checkSelf()))
                .onSuccess(counted -> renew(sent))
                .onFailure(this::loseIfKnown)
                .mapEmpty();
    }

    private void renew(long sent) {
        if (!isOver) {
            if (!membershipLease.isValid()) {
                membershipCallbacks.lapsed();
            }
            membershipLease.renew(sent, config.times().lease());
        }
    }

    private void loseIfKnown(Throwable failure) {
        if (ZooKeeperSession.is(failure, Code.NONODE, Code.BADVERSION, Code.SESSIONEXPIRED)) {
            lose();
        }
    }

    /**
     * Returns whether the node was marked, by another server or by an earlier attempt without a
     * response; false if it is deleted already.
     */
    private Future<Boolean> isMarked(String node, Throwable failure) {
        return zooKeeperSession.exists(node).map(found -> {
            if (found.isPresent() && found.get().getVersion() == NOT_EVICTED) {
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
    private Future<Void> untilGone(Member member, String node) {
        Future<Void> deleted = vertx.timer(untilOver().toMillis(), TimeUnit.MILLISECONDS)
                .compose(over -> nodeRemover.remove(List.of(node)))
                .compose(absent -> members.refresh());
        return members.isKnown(member.id())
                ? Future.any(members.awaitDeparture(member.id()), deleted).mapEmpty()
                : deleted;
    }

    /**
     * Returns the time after which the lease of a member that cannot renew it has ended, by any
     * clock.
     */
    private Duration untilOver() {
        return config.times().lease().plus(config.times().margin());
    }

    /** Sweeps on one server only; the others resolve the transactions that block them. */
    private void sweepIfDue() {
        if (isSweepDue && members().stream().findFirst().filter(self::equals).isPresent()) {
            isSweepDue = false;
            lockReleaseWatcher.sweep().onFailure(failure -> isSweepDue = true);
        }
    }

    private String path() {
        return zooKeeperPaths.member(self.id());
    }

    private long pollMillis() {
        return config.times().lease().toMillis() / POLLS_PER_LEASE;
    }
}
