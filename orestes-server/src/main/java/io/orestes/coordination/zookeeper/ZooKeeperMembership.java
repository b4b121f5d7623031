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
 * its lease. It lasts from the node's creation until the node is known to be gone. The node's data
 * never changes, so its version says whether the member is evicted. Called on the coordinator's
 * context, except for {@link #isCurrent}, {@link #isOver} and {@link #members}.
 *
 * <p>Renewing the lease is a write that does nothing but check the node: reads may be answered by a
 * server that lags behind.
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

        /** The lease has run out, for a while or for good. */
        void lapsed();

        /** Time to look after what is not told. */
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

    NodeRemover removals() {
        return nodeRemover;
    }

    LockReleaseWatcher departures() {
        return lockReleaseWatcher;
    }

    List<Member> members() {
        return members.members();
    }

    boolean isOver() {
        return isOver;
    }

    boolean isCurrent() {
        return !isOver && membershipLease.isValid();
    }

    /** Names the next call that asks for locks. */
    LockNode.LockRequestId nextClaim() {
        claims++;
        return new LockNode.LockRequestId(self.id(), "%08x".formatted(claims));
    }

    /** Part of every change that only a member may make. */
    Op checkSelf() {
        return Op.check(path(), NOT_EVICTED);
    }

    /** Whether somebody is a member still; who was one and is not is gone for good. */
    Future<Boolean> isMember(String id) {
        return zooKeeperSession.exists(zooKeeperPaths.member(id)).map(Optional::isPresent);
    }

    /** Marks a member as evicted, and takes its node away when its lease must be over. */
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
     * Ends the lease, everything that depends on it, and then the session, which takes the node
     * along.
     */
    Future<Void> end() {
        isOver = true;
        membershipLease.end();
        membershipCallbacks.lapsed();
        nodeRemover.end();
        vertx.cancelTimer(timer);
        return zooKeeperSession.close();
    }

    /** The group does not count on this server any more. */
    void lose() {
        if (!isOver) {
            log.warn("This server is no member of its group any more: {}", self);
            end().onFailure(failure -> log.warn("The session could not be closed", failure));
            membershipCallbacks.lost();
        }
    }

    @Override
    public void joined(Member member) {
        membershipCallbacks.joined(member);
    }

    @Override
    public void gone(Member member) {
        if (member.equals(self)) {
            lose();
        } else {
            isSweepDue = true;
            lockReleaseWatcher.onGone(member.id());
            membershipCallbacks.gone(member);
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
     * Whether it was marked by somebody else, or by this server without its knowing; false if it is
     * gone already.
     */
    private Future<Boolean> isMarked(String node, Throwable failure) {
        return zooKeeperSession.exists(node).map(found -> {
            if (found.isPresent() && found.get().getVersion() == NOT_EVICTED) {
                throw ApiException.fault(
                        ErrorCode.UNAVAILABLE, "This server cannot evict others: it may be no member", failure);
            }
            return found.isPresent();
        });
    }

    /** Who notices that it is evicted goes by itself. */
    private Future<Void> untilGone(Member member, String node) {
        Future<Void> deleted = vertx.timer(untilOver().toMillis(), TimeUnit.MILLISECONDS)
                .compose(over -> nodeRemover.remove(List.of(node)))
                .compose(absent -> members.refresh());
        return members.isKnown(member.id())
                ? Future.any(members.vanished(member.id()), deleted).mapEmpty()
                : deleted;
    }

    /**
     * After which time the lease of somebody who cannot renew it any more is over, by whatever
     * clock.
     */
    private Duration untilOver() {
        return config.times().lease().plus(config.times().margin());
    }

    /** One server suffices; the others see to what they meet. */
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
