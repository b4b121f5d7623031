package io.orestes.replication;

import io.orestes.async.Contexts;
import io.orestes.caching.CacheReplication;
import io.orestes.caching.Caches;
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
 * others have acknowledged until when caches may retain it ({@link Caches#admit}). A write is
 * answered only after all others have acknowledged it. Before that, each server that sent copies
 * has announced to all others that they are stale ({@link Caches#invalidate}, {@link #settled}). So
 * when the write is answered every server has its key in the filter for as long as any copy may
 * live. A new member receives the sketches of all other members before it answers any client. A
 * failed member had no information about objects that others lack. The query results that it sent
 * count as changed, and all acknowledge that before a write is answered that waited for it. A
 * silent member is evicted, and by the rule of {@link Coordinator} it sends no copies any more when
 * it has vanished from the list.
 */
public final class PeerGroup implements CacheReplication, WriteReplication {

    private static final Logger log = LoggerFactory.getLogger(PeerGroup.class);

    private static final Member NOBODY = new Member("", "");
    private static final Future<DeliveryOutcome> DONE = Future.succeededFuture(DeliveryOutcome.DONE);
    private static final long RETRY_MILLIS = 500;
    private static final int CONNECT_MILLIS = 1_000;
    private static final int MOST_MEMBERS = 1_000;

    /** Time that a departing server waits for the acknowledgement of its last messages. */
    private static final Duration FAREWELL = Duration.ofSeconds(5);

    private final Vertx vertx;
    private final PeerGroupConfig config;
    private final Coordinator coordinator;
    private final Caches caches;
    private final PeerHandshake peerHandshake;
    private final PeerListener peerListener;
    private final WebSocketClient client;

    private final PeerLinks peerLinks;
    private final MemberEvictor memberEvictor;
    private final Set<String> gone = ConcurrentHashMap.newKeySet();

    /** Members that have transferred their whole state, and whether that state was complete. */
    private final Map<String, Boolean> heardOut = new ConcurrentHashMap<>();

    private final Promise<Void> entry = Promise.promise();
    private volatile ReplicationHandler replicationHandler = ReplicationHandler.NONE;
    private volatile Member self = NOBODY;
    private volatile String info = "";
    private volatile boolean isComplete;
    private volatile boolean isSettled;
    private volatile boolean isCompleting;
    private volatile boolean isLeaving;

    /**
     * Creates a server that has not entered yet. Its caches are replicated from now on.
     *
     * @param secret shared secret of all servers of the group
     */
    public PeerGroup(Vertx vertx, PeerGroupConfig config, Coordinator coordinator, byte[] secret, Caches caches) {
        this.vertx = vertx;
        this.config = config;
        this.coordinator = coordinator;
        this.caches = caches;
        this.peerHandshake = new PeerHandshake(secret);
        this.client = vertx.createWebSocketClient(
                new WebSocketClientOptions().setConnectTimeout(CONNECT_MILLIS).setMaxConnections(MOST_MEMBERS));
        this.peerLinks = new PeerLinks(vertx);
        this.memberEvictor = new MemberEvictor(vertx, coordinator);
        this.peerListener = new PeerListener(vertx, new Visited(), config.patience());
        caches.replicate(this);
    }

    /**
     * Enters the group. Completes on the caller's context when this server has the state of all
     * others.
     *
     * @param process the server's name in the store; empty if it has none
     */
    public Future<Void> enter(String process, ReplicationHandler itsDuties) {
        replicationHandler = itsDuties;
        coordinator.listen(new Changes());
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
    public Map<String, PeerLinkState> links() {
        return peerLinks.states();
    }

    /** Leaves the group. */
    public Future<Void> leave() {
        isLeaving = true;
        peerLinks.tellInOrder(new PeerMessage.MemberDeparture());
        return settled(FAREWELL)
                .otherwiseEmpty()
                .compose(told -> coordinator.leave())
                .onComplete(left -> drop())
                .compose(left -> peerListener.close());
    }

    @Override
    public boolean areNone() {
        return false;
    }

    @Override
    public boolean isCurrent() {
        return isComplete && coordinator.isCurrent();
    }

    /**
     * Returns whether this server receives all writes of others, though it may not be current for a
     * moment. False while it has to enter anew.
     */
    public boolean isWhole() {
        return isComplete;
    }

    @Override
    public void requireMembership() {
        if (!isCurrent()) {
            throw notCurrent();
        }
    }

    @Override
    public Future<Void> held(String key, Duration time) {
        return peerLinks
                .tellAll(new PeerMessage.CopyAdmission(key, time), config.patience())
                .mapEmpty();
    }

    @Override
    public void stale(String key) {
        peerLinks.tellInOrder(new PeerMessage.Invalidation(key));
    }

    @Override
    public void purged() {
        peerLinks.tellInOrder(new PeerMessage.PurgeAll());
    }

    @Override
    public void cleared() {
        peerLinks.tellInOrder(new PeerMessage.ClearAll());
    }

    @Override
    public Future<Void> settled() {
        return settled(config.deadline());
    }

    private Future<Void> settled(Duration longest) {
        // An entering server receives writes already and must acknowledge them.
        if (self.equals(NOBODY)) {
            return Future.failedFuture(notCurrent());
        }
        return peerLinks.settled(longest);
    }

    @Override
    public Future<Optional<Duration>> written(WriteOutcome writeOutcome, Future<Optional<Duration>> here) {
        if (peerLinks.areNone()) {
            return here.map(this::stillCurrent);
        }
        Future<Optional<Duration>> others = heardByAll(
                new PeerMessage.CommittedWrite(writeOutcome), writeOutcome.ref().id());
        return Future.join(here, others).map(done -> stillCurrent(shorter(here.result(), others.result())));
    }

    /** Notifies all others of changed rights of a user; completes as {@link #written} does. */
    public Future<Void> rightsChanged(ObjectRef user) {
        return toldAll(new PeerMessage.RightsChanged(user));
    }

    /**
     * Makes all others leave the objects of these classes alone until {@link #resume}; completes as
     * {@link #written} does.
     */
    public Future<Void> pause(String turn, Set<String> buckets) {
        return toldAll(new PeerMessage.Pause(turn, buckets));
    }

    /**
     * Makes all others load the stored schema, and resume the classes paused for that turn;
     * completes as {@link #written} does.
     */
    public Future<Void> resume(String turn) {
        return toldAll(new PeerMessage.Resume(turn));
    }

    /** Notifies all others of a new schema; completes as {@link #written} does. */
    public Future<Void> schemaChanged() {
        return toldAll(new PeerMessage.SchemaChanged());
    }

    /** Notifies all others of changed indexes of a class; completes as {@link #written} does. */
    public Future<Void> indexesChanged(String bucket) {
        return toldAll(new PeerMessage.IndexesChanged(bucket));
    }

    /**
     * Notifies all others of unknown changes to objects of a class, or of all classes if the name
     * is empty; completes as {@link #written} does.
     */
    public Future<Void> missed(String bucket) {
        return toldAll(new PeerMessage.MissedWrites(bucket));
    }

    private Future<Void> toldAll(PeerMessage peerMessage) {
        return tellAll(peerMessage).map(this::stillCurrent).mapEmpty();
    }

    private <T> T stillCurrent(T writeOutcome) {
        requireMembership();
        return writeOutcome;
    }

    private static Optional<Duration> shorter(Optional<Duration> one, Optional<Duration> other) {
        return one.flatMap(first -> other.map(second -> first.compareTo(second) < 0 ? first : second));
    }

    /**
     * Repeats until a round in which no member was declared failed. Such a member may have sent
     * copies that only it announced.
     */
    private Future<Optional<Duration>> heardByAll(PeerMessage peerMessage, String key) {
        return tellAll(peerMessage)
                .compose(answers -> answers.stream().allMatch(DeliveryOutcome::isFromTheLiving)
                        ? Future.succeededFuture(kept(answers))
                        : heardByAll(new PeerMessage.Invalidation(key), key).map(repeated -> Optional.empty()));
    }

    private static Optional<Duration> kept(List<DeliveryOutcome> answers) {
        return answers.stream()
                .map(DeliveryOutcome::kept)
                .reduce(PeerGroup::shorter)
                .orElse(Optional.empty());
    }

    private Future<List<DeliveryOutcome>> tellAll(PeerMessage peerMessage) {
        return peerLinks.tellAll(peerMessage, config.deadline());
    }

    private Future<Void> join(MemberInfo published) {
        info = published.text();
        return coordinator.join(info).compose(joined -> {
            entered(joined);
            return entry.future();
        });
    }

    private void entered(Member joined) {
        isSettled = false;
        self = joined;
        review();
        long unused = vertx.setTimer(config.settling().toMillis(), later -> settle(joined));
    }

    /**
     * Ends the settling time. By now every current member that was missing in the list has observed
     * this server and transfers its state to it.
     */
    private void settle(Member joined) {
        isSettled = self.equals(joined);
        review();
    }

    /** Opens links to new members, and checks whether this server has the state of all. */
    private synchronized void review() {
        List<Member> members = coordinator.members().stream()
                .filter(member -> !gone.contains(member.id()))
                .toList();
        if (self.equals(NOBODY)) {
            return;
        }
        members.stream().filter(member -> !member.equals(self)).forEach(this::meet);
        if (!isComplete && members.contains(self)) {
            begin(members);
        }
    }

    private void meet(Member member) {
        peerLinks.open(member.id(), () -> new PeerLink(vertx, client, member, dialing(member), config));
    }

    private PeerLink.PeerLinkContext dialing(Member member) {
        return new PeerLink.PeerLinkContext(self, peerHandshake, this::state, () -> memberEvictor.ask(member));
    }

    /** Returns the state to transfer, which all later messages extend. */
    private Iterator<PeerMessage> state() {
        boolean knowsAll = isComplete;
        return new StateTransfer(caches.memory().shifted(-caches.millis()), knowsAll);
    }

    /**
     * Completes the entry with the states of all others if one of them was complete. If none was,
     * the first member assumes that everything is stale.
     */
    private void begin(List<Member> members) {
        boolean isHeardOut = isSettled
                && members.stream().allMatch(member -> member.equals(self) || heardOut.containsKey(member.id()));
        if (isHeardOut && heardOut.containsValue(true)) {
            complete(false);
        } else if (isHeardOut && members.get(0).equals(self)) {
            complete(true);
        }
    }

    /**
     * Completes the entry. Data that was read meanwhile may be older than the received state, and
     * the schema may have changed.
     */
    private void complete(boolean isFirst) {
        if (!isCompleting) {
            isCompleting = true;
            Member entering = self;
            replicationHandler.begin(isFirst).onComplete(done -> complete(entering, isFirst, done.succeeded()));
        }
    }

    private synchronized void complete(Member entering, boolean isFirst, boolean isUpToDate) {
        isCompleting = false;
        if (!isUpToDate || !self.equals(entering)) {
            long unused = vertx.setTimer(RETRY_MILLIS, later -> review());
            return;
        }
        replicationHandler.forgetAll();
        if (isFirst) {
            caches.staleKeys()
                    .assumeAllStale(caches.millis() + config.longestTtl().toMillis());
        }
        isComplete = true;
        if (isFirst) {
            peerLinks.retellState();
        }
        log.info("This server is a member of its group: {}", self);
        boolean unused = entry.tryComplete();
    }

    private Future<DeliveryOutcome> hear(String member, PeerMessage peerMessage) {
        if (gone.contains(member)) {
            return Future.failedFuture(notCurrent());
        }
        if (peerMessage instanceof PeerMessage.CommittedWrite written) {
            return replicationHandler.announce(member, written.outcome()).compose(kept -> caches.settled()
                    .map(DeliveryOutcome.of(kept)));
        }
        return answeredLater(peerMessage).orElseGet(() -> {
            note(member, peerMessage);
            return DONE;
        });
    }

    /** Processes messages that require reads of the store or waiting for writes under way. */
    private Optional<Future<DeliveryOutcome>> answeredLater(PeerMessage peerMessage) {
        if (peerMessage instanceof PeerMessage.Pause pause) {
            return Optional.of(
                    replicationHandler.pause(pause.turn(), pause.buckets()).map(DeliveryOutcome.DONE));
        }
        if (peerMessage instanceof PeerMessage.Resume resume) {
            return Optional.of(replicationHandler.resume(resume.turn()).map(DeliveryOutcome.DONE));
        }
        if (peerMessage instanceof PeerMessage.SchemaChanged) {
            return Optional.of(replicationHandler.schemaChanged().map(DeliveryOutcome.DONE));
        }
        return peerMessage instanceof PeerMessage.IndexesChanged changed
                ? Optional.of(
                        replicationHandler.indexesChanged(changed.bucket()).map(DeliveryOutcome.DONE))
                : Optional.empty();
    }

    private void note(String member, PeerMessage peerMessage) {
        if (peerMessage instanceof PeerMessage.MissedWrites missed) {
            replicationHandler.missed(missed.bucket());
        } else if (peerMessage instanceof PeerMessage.CopyAdmission held) {
            caches.heldElsewhere(member, held.key(), held.time());
        } else if (peerMessage instanceof PeerMessage.Invalidation stale) {
            caches.staleElsewhere(stale.key());
        } else if (peerMessage instanceof PeerMessage.RightsChanged changed) {
            replicationHandler.rightsChanged(changed.user());
        } else if (peerMessage instanceof PeerMessage.MemberFailure other) {
            end(other.member(), false);
        } else if (peerMessage instanceof PeerMessage.MemberDeparture) {
            end(member, true);
        } else if (peerMessage instanceof PeerMessage.StateChunk state) {
            learn(member, state);
        } else if (peerMessage instanceof PeerMessage.PurgeAll) {
            caches.purgeAllHere();
        } else {
            caches.clearHere();
        }
    }

    private void learn(String member, PeerMessage.StateChunk state) {
        caches.join(member, state.memory().shifted(caches.millis()));
        if (state.isLast()) {
            synchronized (this) {
                heardOut.merge(member, state.isComplete(), Boolean::logicalOr);
            }
            review();
        }
    }

    /** Notifies all members before the waits for the ended member complete. */
    private synchronized void end(String member, boolean isOrderly) {
        if (!gone.add(member)) {
            return;
        }
        heardOut.remove(member);
        memberEvictor.forget(member);
        Optional<PeerLink> link = peerLinks.remove(member);
        caches.serverGone(member, isOrderly);
        // A member that departs in order notifies each itself, after all its other messages.
        if (!isOrderly) {
            replicationHandler.vanished(member);
            peerLinks.tellInOrder(new PeerMessage.MemberFailure(member));
            peerListener.hangUp(member::equals);
        }
        if (isFirst()) {
            replicationHandler.takeOver();
        }
        link.ifPresent(this::close);
        review();
    }

    private void close(PeerLink departed) {
        departed.close(Future.succeededFuture(DeliveryOutcome.GONE));
        replicationHandler.departed(MemberInfo.of(departed.member()).process());
    }

    private boolean isFirst() {
        return coordinator.members().stream()
                .filter(member -> !gone.contains(member.id()))
                .findFirst()
                .filter(self::equals)
                .isPresent();
    }

    /** Drops the state of the group and everything that may be outdated without it. */
    private synchronized void drop() {
        isComplete = false;
        self = NOBODY;
        heardOut.clear();
        peerLinks.close(Future.failedFuture(notCurrent()));
        peerListener.hangUp(everybody -> true);
    }

    private void joinAgain() {
        coordinator.join(info).onComplete(done -> {
            if (done.succeeded()) {
                entered(done.result());
            } else if (!isLeaving) {
                long unused = vertx.setTimer(RETRY_MILLIS, again -> joinAgain());
            }
        });
    }

    private static ApiException notCurrent() {
        return new ApiException(ErrorCode.UNAVAILABLE, "This server is disconnected from its group; try again");
    }

    /** The handler of connections from other members. */
    private final class Visited implements PeerListener.InboundHandler {

        @Override
        public PeerHandshake greeting() {
            return peerHandshake;
        }

        @Override
        public String self() {
            return self.id();
        }

        @Override
        public Future<DeliveryOutcome> hear(String member, PeerMessage peerMessage) {
            return PeerGroup.this.hear(member, peerMessage);
        }
    }

    /** The listener to changes of the list of members. */
    private final class Changes implements MembershipListener {

        @Override
        public void joined(Member member) {
            review();
        }

        @Override
        public void gone(Member member) {
            log.warn("Member {} has left the group", member);
            end(member.id(), false);
        }

        @Override
        public void lost() {
            log.warn("This server is not a member of its group any more: {}", self);
            drop();
            replicationHandler.forgetAll();
            if (!isLeaving) {
                joinAgain();
            }
        }
    }
}
