package io.orestes.replication;

import io.orestes.replication.link.DeliveryOutcome;
import io.orestes.replication.link.PeerListener;
import io.vertx.core.Future;
import org.bson.BsonDocument;

/**
 * The dispatcher of messages from other members: it applies each of them to the components of this
 * server, and refuses those of former members. Thread-safe.
 */
final class MessageDispatcher implements PeerListener.InboundHandler {

    private final GroupMembership membership;
    private final GroupSynchronization synchronization;
    private final ReplicationHandler replicationHandler;

    MessageDispatcher(
            GroupMembership membership, GroupSynchronization synchronization, ReplicationHandler replicationHandler) {
        this.membership = membership;
        this.synchronization = synchronization;
        this.replicationHandler = replicationHandler;
    }

    @Override
    public String self() {
        return membership.self().id();
    }

    @Override
    public Future<DeliveryOutcome> receive(String member, BsonDocument message) {
        if (membership.isFormer(member)) {
            return Future.failedFuture(GroupMembership.notCurrent());
        }
        return PeerMessageCodec.decode(message)
                .apply(new MessageTarget(member, replicationHandler, membership, synchronization));
    }
}
