package io.orestes.replication;

import io.orestes.async.Contexts;
import io.orestes.caching.CacheInvalidator;
import io.orestes.caching.CacheReplica;
import io.orestes.caching.CacheReplication;
import io.orestes.caching.ReadCache;
import io.orestes.coordination.Coordinator;
import io.orestes.coordination.Member;
import io.orestes.coordination.MembershipListener;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.WriteOutcome;
import io.orestes.write.WriteReplication;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketClientOptions;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The membership of this server in its group, with state transfer and replication to all other
 * members. Thread-safe.
 *
 * <p><b>Why no server regards a stale copy as fresh.</b> A copy leaves a server only after all
 * others have acknowledged until when caches may retain it ({@link ReadCache#admit}). A write is
 * answered only after all others have acknowledged it. Before that, each server that sent copies
 * has announced to all others that they are stale ({@link CacheInvalidator#invalidate}, {@link
 * #awaitAcknowledged}). So when the write is answered every server has its key in the filter for as
 * long as any copy may live. A new member receives the sketches of all other members before it
 * answers any client. A failed member had no information about objects that others lack. The query
 * results that it sent count as changed, and all acknowledge that before a write is answered that
 * waited for it. A silent member is evicted, and by the rule of {@link Coordinator} it sends no
 * copies any more when it has vanished from the list.
 */
public final class PeerGroup implements CacheReplication, WriteReplication {

    private static final Logger log = LoggerFactory.getLogger(PeerGroup.class);

    private static final Member NO_MEMBER = new Member("", "");
    private static final Future<DeliveryOutcome> DONE = Future.succeededFuture(DeliveryOutcome.ACKNOWLEDGED);
    private static final long RETRY_MILLIS = 500;
    private static final int CONNECT_MILLIS = 1_000;
    private static final int MAX_MEMBERS = 1_000;

    /** Time that a departing server waits for the acknowledgement of its last messages. */
    private static final Duration DEPARTURE_TIMEOUT = Duration.ofSeconds(5);

    private final Vertx vertx;
    private final PeerGroupConfig config;
    private final Coordinator coordinator;
    private final PeerHandshake peerHandshake;
    private final PeerListener peerListener;
    private final WebSocketClient client;

    private final PeerLinks peerLinks;
    private final MemberEvictor memberEvictor;
    private final Set<String> formerMembers = ConcurrentHashMap.newKeySet();

    /** Members that have transferred their whole state, and whether that state was complete. */
    private final Map<String, Boolean> transferredStates = new ConcurrentHashMap<>();

    private final Promise<Void> entry = Promise.promise();
    private volatile ReplicationHandler replicationHandler = ReplicationHandler.NONE;
    private volatile Member self = NO_MEMBER;
    private volatile String info = "";
    private volatile boolean isSynchronized;
    private volatile boolean isVisibleToOthers;
    private volatile boolean isSynchronizing;
    private volatile boolean isLeaving;

    /**
     * Creates a server that has not entered yet.
     *
     * @param secret shared secret of all servers of the group
     */
    public PeerGroup(Vertx vertx, PeerGroupConfig config, Coordinator coordinator, byte[] secret) {
        this.vertx = vertx;
        this.config = config;
        this.coordinator = coordinator;
        this.peerHandshake = new PeerHandshake(secret);
        this.client = vertx.createWebSocketClient(
                new WebSocketClientOptions().setConnectTimeout(CONNECT_MILLIS).setMaxConnections(MAX_MEMBERS));
        this.peerLinks = new PeerLinks(vertx);
        this.memberEvictor = new MemberEvictor(vertx, coordinator);
        this.peerListener = new PeerListener(vertx, new GroupInboundHandler(), config.failureTimeout());
    }

    /**
     * Enters the group. Completes on the caller's context when this server has the state of all
     * others.
     *
     * @param process the server's name in the store; empty if it has none
     */
    public Future<Void> enter(String process, ReplicationHandler handler) {
        replicationHandler = handler;
        coordinator.listen(new GroupMembershipListener());
        return Contexts.on(
                vertx.getOrCreateContext(),
                peerListener
                        .open(config.host(), config.port())
                        .compose(port -> join(new MemberInfo(config.host() + ":" + port, process))));
    }

    /** Returns this server's membership, or a placeholder while it is no member. */
    public Member self() {
        return self;
    }

    /** Returns the state of the link to each other member, by its identity. */
    public Map<String, PeerLinkState> linkStates() {
        return peerLinks.states();
    }

    /** Leaves the group. */
    public Future<Void> leave() {
        isLeaving = true;
        peerLinks.broadcastInOrder(new PeerMessage.MemberDeparture());
        return awaitAcknowledged(DEPARTURE_TIMEOUT)
                .otherwiseEmpty()
                .compose(told -> coordinator.leave())
                .onComplete(left -> resetMembership())
                .compose(left -> peerListener.close());
    }

    @Override
    public boolean isStandalone() {
        return false;
    }

    @Override
    public boolean isCurrent() {
        return isSynchronized && coordinator.isCurrent();
    }

    /**
     * Returns whether this server receives all writes of others, though it may not be current for a
     * moment. False while it has to enter anew.
     */
    public boolean isSynchronized() {
        return isSynchronized;
    }

    @Override
    public void requireMembership() {
        if (!isCurrent()) {
            throw notCurrent();
        }
    }

    @Override
    public Future<Void> replicateAdmission(String key, Duration time) {
        return peerLinks
                .broadcast(new PeerMessage.CopyAdmission(key, time), config.failureTimeout())
                .mapEmpty();
    }

    @Override
    public void replicateInvalidation(String key) {
        peerLinks.broadcastInOrder(new PeerMessage.Invalidation(key));
    }

    @Override
    public void replicatePurge() {
        peerLinks.broadcastInOrder(new PeerMessage.PurgeAll());
    }

    @Override
    public void replicateClear() {
        peerLinks.broadcastInOrder(new PeerMessage.ClearAll());
    }

    @Override
    public Future<Void> awaitAcknowledged() {
        return awaitAcknowledged(config.acknowledgementTimeout());
    }

    private Future<Void> awaitAcknowledged(Duration timeout) {
        // An entering server receives writes already and must acknowledge them.
        if (self.equals(NO_MEMBER)) {
            return Future.failedFuture(notCurrent());
        }
        return peerLinks.awaitOrderedAcknowledged(timeout);
    }

    @Override
    public Future<Optional<Duration>> replicate(WriteOutcome writeOutcome, Future<Optional<Duration>> localResult) {
        if (peerLinks.isEmpty()) {
            return localResult.map(this::checkMembership);
        }
        Future<Optional<Duration>> others = replicateToAll(
                new PeerMessage.CommittedWrite(writeOutcome), writeOutcome.ref().id());
        return Future.join(localResult, others)
                .map(done -> checkMembership(shorter(localResult.result(), others.result())));
    }

    /** Notifies all others of changed rights of a user; completes as {@link #replicate} does. */
    public Future<Void> broadcastRightsChange(ObjectRef user) {
        return broadcastAsMember(new PeerMessage.RightsChanged(user));
    }

    /**
     * Makes all others leave the objects of these classes alone until {@link #resumeOthers};
     * completes as {@link #replicate} does.
     */
    public Future<Void> pauseOthers(String turn, Set<String> buckets) {
        return broadcastAsMember(new PeerMessage.Pause(turn, buckets));
    }

    /**
     * Makes all others load the stored schema, and resume the classes paused for that turn;
     * completes as {@link #replicate} does.
     */
    public Future<Void> resumeOthers(String turn) {
        return broadcastAsMember(new PeerMessage.Resume(turn));
    }

    /** Notifies all others of a new schema; completes as {@link #replicate} does. */
    public Future<Void> broadcastSchemaChange() {
        return broadcastAsMember(new PeerMessage.SchemaChanged());
    }

    /** Notifies all others of changed indexes of a class; completes as {@link #replicate} does. */
    public Future<Void> broadcastIndexChange(String bucket) {
        return broadcastAsMember(new PeerMessage.IndexesChanged(bucket));
    }

    /**
     * Notifies all others of unknown changes to objects of a class, or of all classes if the name
     * is empty; completes as {@link #replicate} does.
     */
    public Future<Void> broadcastMissedWrites(String bucket) {
        return broadcastAsMember(new PeerMessage.MissedWrites(bucket));
    }

    private Future<Void> broadcastAsMember(PeerMessage peerMessage) {
        return broadcast(peerMessage).map(this::checkMembership).mapEmpty();
    }

    private <T> T checkMembership(T result) {
        requireMembership();
        return result;
    }

    private static Optional<Duration> shorter(Optional<Duration> one, Optional<Duration> other) {
        return one.flatMap(first -> other.map(second -> first.compareTo(second) < 0 ? first : second));
    }

    /**
     * Repeats until a round in which no member was declared failed. Such a member may have sent
     * copies that only it announced.
     */
    private Future<Optional<Duration>> replicateToAll(PeerMessage peerMessage, String key) {
        return broadcast(peerMessage)
                .compose(answers -> answers.stream().allMatch(DeliveryOutcome::isAcknowledged)
                        ? Future.succeededFuture(shortestUnchanged(answers))
                        : replicateToAll(new PeerMessage.Invalidation(key), key).map(repeated -> Optional.empty()));
    }

    private static Optional<Duration> shortestUnchanged(List<DeliveryOutcome> answers) {
        return answers.stream()
                .map(DeliveryOutcome::resultsUnchangedFor)
                .reduce(PeerGroup::shorter)
                .orElse(Optional.empty());
    }

    private Future<List<DeliveryOutcome>> broadcast(PeerMessage peerMessage) {
        return peerLinks.broadcast(peerMessage, config.acknowledgementTimeout());
    }

    private Future<Void> join(MemberInfo published) {
        info = published.text();
        return coordinator.join(info).compose(joined -> {
            startMembership(joined);
            return entry.future();
        });
    }

    private void startMembership(Member joined) {
        isVisibleToOthers = false;
        self = joined;
        reconcileLinks();
        long unused = vertx.setTimer(config.settlingTime().toMillis(), later -> markVisible(joined));
    }

    /**
     * Ends the settling time. By now every current member that was missing in the list has observed
     * this server and transfers its state to it.
     */
    private void markVisible(Member joined) {
        isVisibleToOthers = self.equals(joined);
        reconcileLinks();
    }

    /** Opens links to new members, and checks whether this server has the state of all. */
    private synchronized void reconcileLinks() {
        List<Member> members = coordinator.members().stream()
                .filter(member -> !formerMembers.contains(member.id()))
                .toList();
        if (self.equals(NO_MEMBER)) {
            return;
        }
        members.stream().filter(member -> !member.equals(self)).forEach(this::openLink);
        if (!isSynchronized && members.contains(self)) {
            synchronizeIfReady(members);
        }
    }

    private void openLink(Member member) {
        peerLinks.open(member.id(), () -> new PeerLink(vertx, client, member, linkContext(member), config));
    }

    private PeerLink.PeerLinkContext linkContext(Member member) {
        return new PeerLink.PeerLinkContext(
                self, peerHandshake, this::newStateTransfer, () -> memberEvictor.requestEviction(member));
    }

    /** Creates a transfer of the current state, which all later messages extend. */
    private Iterator<PeerMessage> newStateTransfer() {
        boolean knowsAll = isSynchronized;
        return new StateTransfer(caches().sketchContents(), knowsAll);
    }

    /**
     * Completes the entry with the states of all others if one of them was complete. If none was,
     * the first member assumes that everything is stale.
     */
    private void synchronizeIfReady(List<Member> members) {
        boolean hasAllStates = isVisibleToOthers
                && members.stream()
                        .allMatch(member -> member.equals(self) || transferredStates.containsKey(member.id()));
        if (hasAllStates && transferredStates.containsValue(true)) {
            synchronize(false);
        } else if (hasAllStates && members.get(0).equals(self)) {
            synchronize(true);
        }
    }

    /**
     * Completes the entry. Data that was read meanwhile may be older than the received state, and
     * the schema may have changed.
     */
    private void synchronize(boolean isFirst) {
        if (!isSynchronizing) {
            isSynchronizing = true;
            Member entering = self;
            replicationHandler
                    .synchronize(isFirst)
                    .onComplete(done -> finishSynchronization(entering, isFirst, done.succeeded()));
        }
    }

    private synchronized void finishSynchronization(Member entering, boolean isFirst, boolean isUpToDate) {
        isSynchronizing = false;
        if (!isUpToDate || !self.equals(entering)) {
            long unused = vertx.setTimer(RETRY_MILLIS, later -> reconcileLinks());
            return;
        }
        replicationHandler.invalidateAll();
        if (isFirst) {
            caches().assumeAllStale(config.longestTtl());
        }
        isSynchronized = true;
        if (isFirst) {
            peerLinks.resendState();
        }
        log.info("This server is a member of its group: {}", self);
        boolean unused = entry.tryComplete();
    }

    private CacheReplica caches() {
        return replicationHandler.caches();
    }

    private Future<DeliveryOutcome> receive(String member, PeerMessage peerMessage) {
        if (formerMembers.contains(member)) {
            return Future.failedFuture(notCurrent());
        }
        if (peerMessage instanceof PeerMessage.CommittedWrite written) {
            return replicationHandler.applyWrite(member, written.outcome()).compose(kept -> caches().awaitInvalidated()
                    .map(DeliveryOutcome.of(kept)));
        }
        return processAsync(peerMessage).orElseGet(() -> {
            process(member, peerMessage);
            return DONE;
        });
    }

    /** Processes messages that require reads of the store or waiting for writes under way. */
    private Optional<Future<DeliveryOutcome>> processAsync(PeerMessage peerMessage) {
        if (peerMessage instanceof PeerMessage.Pause pause) {
            return Optional.of(
                    replicationHandler.pause(pause.turn(), pause.buckets()).map(DeliveryOutcome.ACKNOWLEDGED));
        }
        if (peerMessage instanceof PeerMessage.Resume resume) {
            return Optional.of(replicationHandler.resume(resume.turn()).map(DeliveryOutcome.ACKNOWLEDGED));
        }
        if (peerMessage instanceof PeerMessage.SchemaChanged) {
            return Optional.of(replicationHandler.onSchemaChanged().map(DeliveryOutcome.ACKNOWLEDGED));
        }
        return peerMessage instanceof PeerMessage.IndexesChanged changed
                ? Optional.of(
                        replicationHandler.onIndexesChanged(changed.bucket()).map(DeliveryOutcome.ACKNOWLEDGED))
                : Optional.empty();
    }

    private void process(String member, PeerMessage peerMessage) {
        if (peerMessage instanceof PeerMessage.MissedWrites missed) {
            replicationHandler.onWritesMissed(missed.bucket());
        } else if (peerMessage instanceof PeerMessage.CopyAdmission held) {
            caches().admitRemotely(member, held.key(), held.time());
        } else if (peerMessage instanceof PeerMessage.Invalidation stale) {
            caches().invalidateRemotely(stale.key());
        } else if (peerMessage instanceof PeerMessage.RightsChanged changed) {
            replicationHandler.onRightsChanged(changed.user());
        } else if (peerMessage instanceof PeerMessage.MemberFailure other) {
            removeMember(other.member(), false);
        } else if (peerMessage instanceof PeerMessage.MemberDeparture) {
            removeMember(member, true);
        } else if (peerMessage instanceof PeerMessage.StateChunk state) {
            mergeState(member, state);
        } else if (peerMessage instanceof PeerMessage.PurgeAll) {
            caches().purgeAllLocally();
        } else {
            caches().clearLocally();
        }
    }

    private void mergeState(String member, PeerMessage.StateChunk state) {
        caches().mergeSketch(member, state.memory());
        if (state.isLast()) {
            synchronized (this) {
                transferredStates.merge(member, state.isComplete(), Boolean::logicalOr);
            }
            reconcileLinks();
        }
    }

    /** Notifies all members before the waits for the ended member complete. */
    private synchronized void removeMember(String member, boolean isOrderly) {
        if (!formerMembers.add(member)) {
            return;
        }
        transferredStates.remove(member);
        memberEvictor.cancel(member);
        Optional<PeerLink> link = peerLinks.remove(member);
        caches().removeServer(member, isOrderly);
        // A member that departs in order notifies each itself, after all its other messages.
        if (!isOrderly) {
            replicationHandler.onMemberFailed(member);
            peerLinks.broadcastInOrder(new PeerMessage.MemberFailure(member));
            peerListener.disconnect(member::equals);
        }
        if (isFirst()) {
            replicationHandler.takeOver();
        }
        link.ifPresent(this::close);
        reconcileLinks();
    }

    private void close(PeerLink departed) {
        departed.close(Future.succeededFuture(DeliveryOutcome.MEMBERSHIP_ENDED));
        replicationHandler.onMemberDeparted(MemberInfo.of(departed.member()).process());
    }

    private boolean isFirst() {
        return coordinator.members().stream()
                .filter(member -> !formerMembers.contains(member.id()))
                .findFirst()
                .filter(self::equals)
                .isPresent();
    }

    /** Drops the state of the group and everything that may be outdated without it. */
    private synchronized void resetMembership() {
        isSynchronized = false;
        self = NO_MEMBER;
        transferredStates.clear();
        peerLinks.close(Future.failedFuture(notCurrent()));
        peerListener.disconnect(everybody -> true);
    }

    private void joinAgain() {
        coordinator.join(info).onComplete(done -> {
            if (done.succeeded()) {
                startMembership(done.result());
            } else if (!isLeaving) {
                long unused = vertx.setTimer(RETRY_MILLIS, again -> joinAgain());
            }
        });
    }

    private static ApiException notCurrent() {
        return new ApiException(ErrorCode.UNAVAILABLE, "This server is disconnected from its group; try again");
    }

    /** The handler of connections from other members. */
    private final class GroupInboundHandler implements PeerListener.InboundHandler {

        @Override
        public PeerHandshake handshake() {
            return peerHandshake;
        }

        @Override
        public String self() {
            return self.id();
        }

        @Override
        public Future<DeliveryOutcome> receive(String member, PeerMessage peerMessage) {
            return PeerGroup.this.receive(member, peerMessage);
        }
    }

    /** The listener to changes of the list of members. */
    private final class GroupMembershipListener implements MembershipListener {

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
            resetMembership();
            replicationHandler.invalidateAll();
            if (!isLeaving) {
                joinAgain();
            }
        }
    }
}
