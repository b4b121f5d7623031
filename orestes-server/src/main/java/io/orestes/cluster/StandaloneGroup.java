package io.orestes.cluster;

import io.orestes.coordination.Coordinator;
import io.orestes.coordination.Member;
import io.orestes.group.Replication;
import io.orestes.model.ObjectRef;
import io.orestes.replication.ReplicationHandler;
import io.orestes.replication.link.PeerLinkStatus;
import io.orestes.schema.SchemaRegistry;
import io.orestes.schema.change.ClassDataHandler;
import io.orestes.store.ObjectStore;
import io.vertx.core.Future;
import java.util.Map;
import java.util.function.Supplier;

/** The group of a server that never has other servers. */
public record StandaloneGroup(Coordinator coordinator) implements ServerGroup {

    @Override
    public boolean isStandalone() {
        return true;
    }

    @Override
    public String coordinationKind() {
        return "process";
    }

    @Override
    public Replication replication() {
        return Replication.STANDALONE;
    }

    @Override
    public boolean isCurrent() {
        return true;
    }

    @Override
    public boolean isSynchronized() {
        return true;
    }

    @Override
    public boolean isSelf(Member member) {
        return true;
    }

    @Override
    public Map<String, PeerLinkStatus> linkStates() {
        return Map.of();
    }

    @Override
    public Future<SchemaRegistry> openSchema(
            ObjectStore store, ClassDataHandler data, Supplier<SchemaFollower> follower) {
        return SchemaRegistry.open(store, data);
    }

    @Override
    public Future<Void> enter(String process, ReplicationHandler handler) {
        return Future.succeededFuture();
    }

    @Override
    public Future<Void> broadcastRightsChange(ObjectRef user) {
        return Future.succeededFuture();
    }

    @Override
    public Future<Void> broadcastIndexChange(String bucket) {
        return Future.succeededFuture();
    }

    @Override
    public Future<Void> broadcastMissedWrites(String bucket) {
        return Future.succeededFuture();
    }

    @Override
    public Future<Void> leave() {
        return coordinator.close().otherwiseEmpty();
    }
}
