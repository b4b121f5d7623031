package io.orestes.replication;

import io.orestes.async.Contexts;
import io.orestes.caching.CacheInvalidator;
import io.orestes.caching.ReadCache;
import io.orestes.coordination.Coordinator;
import io.orestes.coordination.Member;
import io.orestes.group.Replication;
import io.orestes.model.ObjectRef;
import io.orestes.model.WriteOutcome;
import io.orestes.replication.link.DeliveryOutcome;
import io.orestes.replication.link.PeerLinkStatus;
import io.orestes.replication.link.PeerLinks;
import io.orestes.replication.link.PeerListener;
import io.orestes.replication.link.PeerTls;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The replication between this server and all other members of its group. Thread-safe.
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
public final class PeerGroup implements Replication {

    private final Vertx vertx;
    private final PeerGroupConfig config;
    private final PeerLinks peerLinks;
    private final GroupMembership membership;

    /**
     * Creates a server that has not entered yet.
     *
     * @param secret shared secret of all servers of the group
     */
    public PeerGroup(Vertx vertx, PeerGroupConfig config, Coordinator coordinator, byte[] secret) {
        this.vertx = vertx;
        this.config = config;
        PeerTls tls = PeerTls.of(secret);
        this.peerLinks = new PeerLinks(vertx, tls, config.links());
        this.membership = new GroupMembership(
                new MembershipDependencies(vertx, config, coordinator),
                new PeerListener(vertx, tls, config.failureTimeout()),
                peerLinks);
    }

    /**
     * Enters the group. Completes on the caller's context when this server has the state of all
     * others.
     *
     * @param process the server's name in the store; empty if it has none
     */
    public Future<Void> enter(String process, ReplicationHandler handler) {
        return Contexts.on(vertx.getOrCreateContext(), membership.enter(process, handler));
    }

    /** Returns this server's membership, or a placeholder while it is no member. */
    public Member self() {
        return membership.self();
    }

    /** Returns the state of the link to each other member, by its identity. */
    public Map<String, PeerLinkStatus> linkStates() {
        return peerLinks.states();
    }

    /** Leaves the group. */
    public Future<Void> leave() {
        return membership.leave();
    }

    @Override
    public boolean isStandalone() {
        return false;
    }

    @Override
    public boolean isCurrent() {
        return membership.isCurrent();
    }

    /**
     * Returns whether this server receives all writes of others, though it may not be current for a
     * moment. False while it has to enter anew.
     */
    public boolean isSynchronized() {
        return membership.synchronization().isSynchronized();
    }

    @Override
    public void requireMembership() {
        if (!isCurrent()) {
            throw GroupMembership.notCurrent();
        }
    }

    @Override
    public Future<Void> replicateAdmission(String key, Duration time) {
        return peerLinks
                .broadcast(new PeerMessage.CopyAdmission(key, time).encode(), config.failureTimeout())
                .mapEmpty();
    }

    @Override
    public void replicateInvalidation(String key) {
        peerLinks.broadcastInOrder(new PeerMessage.Invalidation(key).encode());
    }

    @Override
    public void replicatePurge() {
        peerLinks.broadcastInOrder(new PeerMessage.PurgeAll().encode());
    }

    @Override
    public void replicateClear() {
        peerLinks.broadcastInOrder(new PeerMessage.ClearAll().encode());
    }

    @Override
    public Future<Void> awaitAcknowledged() {
        return membership.awaitOrderedAcknowledged(config.acknowledgementTimeout());
    }

    @Override
    public Future<Optional<Duration>> replicate(WriteOutcome writeOutcome, Future<Optional<Duration>> localResult) {
        if (peerLinks.isEmpty()) {
            return localResult.map(this::checkMembership);
        }
        Future<DeliveryOutcome> local =
                localResult.map(unchangedFor -> DeliveryOutcome.acknowledged(unchangedFor.orElse(null)));
        Future<DeliveryOutcome> others = replicateToAll(
                new PeerMessage.CommittedWrite(writeOutcome), writeOutcome.ref().id());
        return Future.join(local, others)
                .map(done -> checkMembership(local.result().and(others.result()).resultsUnchangedFor()));
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

    /**
     * Repeats until a round in which no member was declared failed. Such a member may have sent
     * copies that only it announced.
     */
    private Future<DeliveryOutcome> replicateToAll(PeerMessage peerMessage, String key) {
        return broadcast(peerMessage)
                .compose(outcome -> outcome.isAcknowledged()
                        ? Future.succeededFuture(outcome)
                        : replicateToAll(new PeerMessage.Invalidation(key), key).map(DeliveryOutcome.ACKNOWLEDGED));
    }

    private Future<DeliveryOutcome> broadcast(PeerMessage peerMessage) {
        return peerLinks.broadcast(peerMessage.encode(), config.acknowledgementTimeout());
    }
}
