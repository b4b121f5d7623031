package io.orestes.coordination.zookeeper;

import io.orestes.coordination.Lease;
import io.orestes.coordination.Member;
import io.orestes.coordination.MembershipListener;
import io.orestes.coordination.Resolver;
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
 * One membership: an ephemeral node of one session, from its creation until that is known to be over. The node's data never
 * changes, so its version says whether the member is evicted. Called on the coordinator's context, except for {@link
 * #isCurrent}, {@link #isOver} and {@link #members}.
 *
 * <p>Renewing the lease is a write that does nothing but check the node: reads may be answered by a server that lags behind.
 */
final class Presence implements MembershipListener {

    private static final Logger log = LoggerFactory.getLogger(Presence.class);

    private static final int NOT_EVICTED = 0;
    private static final int POLLS_PER_LEASE = 4;

    private final Vertx vertx;
    private final Session session;
    private final ZooKeeperConfig config;
    private final Paths paths;
    private final Member self;
    private final Lease lease;
    private final Events events;
    private final MemberList members;
    private final Removals removals;
    private final Departures departures;
    private volatile boolean isOver;
    private boolean isSweepDue = true;
    private long timer = -1;
    private int claims;

    /** What the coordinator wants to know of its present membership. */
    interface Events extends MembershipListener {

        /** The lease has run out, for a while or for good. */
        void lapsed();

        /** Time to look after what is not told. */
        void tick(Presence presence);
    }

    Presence(
            Vertx vertx,
            Context home,
            Session session,
            ZooKeeperConfig config,
            String info,
            Lease lease,
            Resolver resolver,
            Events events) {
        this.vertx = vertx;
        this.session = session;
        this.config = config;
        this.paths = new Paths(config.root());
        this.self = Member.entering(info);
        this.lease = lease;
        this.events = events;
        this.members = new MemberList(session, paths, this);
        this.removals = new Removals(vertx, session, paths);
        this.departures = new Departures(home, session, config, members, removals, resolver);
    }

    /** Enters the group; the lease begins last. */
    Future<Member> enter() {
        Op node = Op.create(
                path(), self.info().getBytes(StandardCharsets.UTF_8), Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL);
        return session.multi(List.of(node))
                .compose(entered -> members.refresh())
                .compose(known -> poll())
                .onSuccess(current -> timer = vertx.setPeriodic(pollMillis(), tick -> tick()))
                .map(self);
    }

    Member self() {
        return self;
    }

    Session session() {
        return session;
    }

    Removals removals() {
        return removals;
    }

    Departures departures() {
        return departures;
    }

    List<Member> members() {
        return members.members();
    }

    boolean isOver() {
        return isOver;
    }

    boolean isCurrent() {
        return !isOver && lease.isValid();
    }

    /** Names the next call that asks for locks. */
    LockNode.Claim nextClaim() {
        claims++;
        return new LockNode.Claim(self.id(), "%08x".formatted(claims));
    }

    /** Part of every change that only a member may make. */
    Op checkSelf() {
        return Op.check(path(), NOT_EVICTED);
    }

    /** Whether somebody is a member still; who was one and is not is gone for good. */
    Future<Boolean> isMember(String id) {
        return session.exists(paths.member(id)).map(Optional::isPresent);
    }

    /** Marks a member as evicted, and takes its node away when its lease must be over. */
    Future<Void> evict(Member member) {
        String node = paths.member(member.id());
        Op mark = Op.setData(node, member.info().getBytes(StandardCharsets.UTF_8), NOT_EVICTED);
        return session.multi(List.of(checkSelf(), mark))
                .<Boolean>map(true)
                .recover(failure -> isMarked(node, failure))
                .compose(marked -> marked ? untilGone(member, node) : members.refresh());
    }

    /** Ends the lease, everything that depends on it, and then the session, which takes the node along. */
    Future<Void> end() {
        isOver = true;
        lease.end();
        events.lapsed();
        removals.end();
        vertx.cancelTimer(timer);
        return session.close();
    }

    /** The group does not count on this server any more. */
    void lose() {
        if (!isOver) {
            log.warn("This server is no member of its group any more: {}", self);
            end().onFailure(failure -> log.warn("The session could not be closed", failure));
            events.lost();
        }
    }

    @Override
    public void joined(Member member) {
        events.joined(member);
    }

    @Override
    public void gone(Member member) {
        if (member.equals(self)) {
            lose();
        } else {
            isSweepDue = true;
            departures.onGone(member.id());
            events.gone(member);
        }
    }

    private void tick() {
        if (!lease.isValid()) {
            events.lapsed();
        }
        poll().onFailure(failure -> log.debug("The lease was not renewed", failure));
        members.ensureWatched().onFailure(failure -> log.debug("The members could not be read", failure));
        sweepIfDue();
        events.tick(this);
    }

    private Future<Void> poll() {
        long sent = System.nanoTime();
        return session.multi(List.of(checkSelf()))
                .onSuccess(counted -> renew(sent))
                .onFailure(this::loseIfKnown)
                .mapEmpty();
    }

    private void renew(long sent) {
        if (!isOver) {
            if (!lease.isValid()) {
                events.lapsed();
            }
            lease.renew(sent, config.times().lease());
        }
    }

    private void loseIfKnown(Throwable failure) {
        if (Session.is(failure, Code.NONODE, Code.BADVERSION, Code.SESSIONEXPIRED)) {
            lose();
        }
    }

    /** Whether it was marked by somebody else, or by this server without its knowing; false if it is gone already. */
    private Future<Boolean> isMarked(String node, Throwable failure) {
        return session.exists(node).map(found -> {
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
                .compose(over -> removals.remove(List.of(node)))
                .compose(absent -> members.refresh());
        return members.isKnown(member.id())
                ? Future.any(members.vanished(member.id()), deleted).mapEmpty()
                : deleted;
    }

    /** After which time the lease of somebody who cannot renew it any more is over, by whatever clock. */
    private Duration untilOver() {
        return config.times().lease().plus(config.times().margin());
    }

    /** One server suffices; the others see to what they meet. */
    private void sweepIfDue() {
        if (isSweepDue && members().stream().findFirst().filter(self::equals).isPresent()) {
            isSweepDue = false;
            departures.sweep().onFailure(failure -> isSweepDue = true);
        }
    }

    private String path() {
        return paths.member(self.id());
    }

    private long pollMillis() {
        return config.times().lease().toMillis() / POLLS_PER_LEASE;
    }
}
