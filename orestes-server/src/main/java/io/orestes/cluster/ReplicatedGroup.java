package io.orestes.cluster;

import io.orestes.coordination.Coordinator;
import io.orestes.coordination.Member;
import io.orestes.group.Replication;
import io.orestes.model.ObjectRef;
import io.orestes.replication.PeerGroup;
import io.orestes.replication.ReplicationHandler;
import io.orestes.replication.link.PeerLinkStatus;
import io.orestes.schema.SchemaRegistry;
import io.orestes.schema.change.ClassDataHandler;
import io.orestes.store.ObjectStore;
import io.vertx.core.Future;
import java.io.IOException;
import java.net.BindException;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The group of several servers, which meet in ZooKeeper and replicate to each other.
 *
 * @param address host and port where this server listens to the others, for operators
 * @param zookeeper addresses of ZooKeeper, for operators
 */
public record ReplicatedGroup(PeerGroup peers, Coordinator coordinator, String address, String zookeeper)
        implements ServerGroup {

    @Override
    public boolean isStandalone() {
        return false;
    }

    @Override
    public String coordinationKind() {
        return "ZooKeeper";
    }

    @Override
    public Replication replication() {
        return peers;
    }

    @Override
    public boolean isCurrent() {
        return peers.isCurrent();
    }

    @Override
    public boolean isSynchronized() {
        return peers.isSynchronized();
    }

    @Override
    public boolean isSelf(Member member) {
        return member.equals(peers.self());
    }

    @Override
    public Map<String, PeerLinkStatus> linkStates() {
        return peers.linkStates();
    }

    @Override
    public Future<SchemaRegistry> openSchema(
            ObjectStore store, ClassDataHandler data, Supplier<SchemaFollower> follower) {
        return SchemaRegistry.open(
                store, data, new GroupSchemaCoordination(() -> peers, follower, coordinator.locks()));
    }

    /**
     * Enters the group. Fails with a {@link BindException} if the address cannot be used, else with
     * an {@link UnusableGroupException}.
     */
    @Override
    public Future<Void> enter(String process, ReplicationHandler handler) {
        return peers.enter(process, handler).recover(failure -> Future.failedFuture(toStartFailure(failure)));
    }

    private Exception toStartFailure(Throwable failure) {
        return failure instanceof IOException
                ? new BindException(address + ": " + failure.getMessage())
                : UnusableGroupException.of(failure, zookeeper);
    }

    @Override
    public Future<Void> broadcastRightsChange(ObjectRef user) {
        return peers.broadcastRightsChange(user);
    }

    @Override
    public Future<Void> broadcastIndexChange(String bucket) {
        return peers.broadcastIndexChange(bucket);
    }

    @Override
    public Future<Void> broadcastMissedWrites(String bucket) {
        return peers.broadcastMissedWrites(bucket);
    }

    @Override
    public Future<Void> leave() {
        return peers.leave().compose(left -> coordinator.close()).otherwiseEmpty();
    }
}
