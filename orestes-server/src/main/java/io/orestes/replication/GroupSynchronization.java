package io.orestes.replication;

import com.google.common.collect.Iterators;
import io.orestes.caching.PeerCacheAccess;
import io.orestes.coordination.Member;
import io.orestes.replication.link.PeerLinks;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The state transfer between this server and the other members. It supplies the state of this
 * server, merges the states of the others, and completes the entry of this server when it has the
 * states of all. Thread-safe.
 */
final class GroupSynchronization {

    private static final Logger log = LoggerFactory.getLogger(GroupSynchronization.class);
    private static final long RETRY_MILLIS = 500;

    private final MembershipDependencies services;
    private final PeerLinks peerLinks;
    private final Runnable onProgress;
    private final Promise<Void> firstSynchronization = Promise.promise();
    private volatile ReplicationHandler replicationHandler = ReplicationHandler.NONE;
    private volatile boolean isSynchronized;

    /**
     * Members that have transferred their whole state, and whether that state was complete. Guarded
     * by this, like everything below.
     */
    private final Map<String, Boolean> transferredStates = new HashMap<>();

    /** The membership for which a synchronization runs or has succeeded. */
    private Member entering = GroupMembership.NO_MEMBER;

    private boolean isSynchronizing;

    /** @param onProgress calls {@link #startIfReady} with the present members */
    GroupSynchronization(MembershipDependencies services, PeerLinks peerLinks, Runnable onProgress) {
        this.services = services;
        this.peerLinks = peerLinks;
        this.onProgress = onProgress;
    }

    void setHandler(ReplicationHandler handler) {
        replicationHandler = handler;
    }

    /** Returns whether this server has the states of all others since its last entry. */
    boolean isSynchronized() {
        return isSynchronized;
    }

    /** Returns a future that succeeds when this server is synchronized for the first time. */
    Future<Void> firstSynchronization() {
        return firstSynchronization.future();
    }

    /** Returns the state to chunks, which all later messages extend. */
    Iterator<BsonDocument> state() {
        boolean knowsAll = isSynchronized;
        SketchChunker chunks = new SketchChunker(caches().sketchContents(), knowsAll);
        return Iterators.transform(chunks, PeerMessage::encode);
    }

    /** Merges a part of a member's state. */
    void merge(String member, PeerMessage.StateChunk chunk) {
        caches().mergeSketch(member, chunk.memory());
        if (chunk.isLast()) {
            recordTransfer(member, chunk.isComplete());
            onProgress.run();
        }
    }

    private synchronized void recordTransfer(String member, boolean isComplete) {
        transferredStates.merge(member, isComplete, Boolean::logicalOr);
    }

    /** Drops the record of a member's transfer after its membership has ended. */
    synchronized void removeMember(String member) {
        transferredStates.remove(member);
    }

    /** Drops all records of transfers after the membership of this server has ended. */
    synchronized void reset() {
        isSynchronized = false;
        entering = GroupMembership.NO_MEMBER;
        transferredStates.clear();
    }

    /**
     * Completes the entry with the states of all others if one of them was complete. If none was,
     * the first member assumes that everything is stale.
     */
    synchronized void startIfReady(Member self, List<Member> members) {
        if (isSynchronized || isSynchronizing || !hasStatesOfAll(self, members)) {
            return;
        }
        if (transferredStates.containsValue(true)) {
            start(self, false);
        } else if (members.get(0).equals(self)) {
            start(self, true);
        }
    }

    private boolean hasStatesOfAll(Member self, List<Member> members) {
        return members.stream().allMatch(member -> member.equals(self) || transferredStates.containsKey(member.id()));
    }

    /**
     * Completes the entry. Data that was read meanwhile may be older than the received state, and
     * the schema may have changed.
     */
    private void start(Member self, boolean isFirst) {
        isSynchronizing = true;
        entering = self;
        replicationHandler.synchronize(isFirst).onComplete(done -> finish(self, isFirst, done.succeeded()));
    }

    private synchronized void finish(Member self, boolean isFirst, boolean isUpToDate) {
        isSynchronizing = false;
        if (!isUpToDate || !entering.equals(self)) {
            long unused = services.vertx().setTimer(RETRY_MILLIS, later -> onProgress.run());
            return;
        }
        replicationHandler.invalidateAll();
        if (isFirst) {
            caches().assumeAllStale(services.config().longestTtl());
        }
        isSynchronized = true;
        if (isFirst) {
            peerLinks.resendState();
        }
        log.info("This server is a member of its group: {}", self);
        boolean unused = firstSynchronization.tryComplete();
    }

    private PeerCacheAccess caches() {
        return replicationHandler.caches();
    }
}
