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

/**
 * The servers that work on one store, as one of them sees them: a group of several, or this server
 * alone. Thread-safe.
 */
public interface ServerGroup {

    /** Returns whether this server never has other servers. */
    boolean isStandalone();

    /** Returns the name of the coordination service, for operators. */
    String coordinationKind();

    /** Returns the coordinator of members, locks and leaders. */
    Coordinator coordinator();

    /** Returns the port through which writes and the state of caches are replicated. */
    Replication replication();

    /**
     * Returns whether this server belongs to its group at the moment, so that it receives all
     * writes of others before their clients are answered.
     */
    boolean isCurrent();

    /**
     * Returns whether this server receives all writes of others, though it may not be current for a
     * moment.
     */
    boolean isSynchronized();

    /** Returns whether a member is this server. */
    boolean isSelf(Member member);

    /** Returns the state of the link to each other member, by its identity. */
    Map<String, PeerLinkStatus> linkStates();

    /**
     * Loads the stored schema.
     *
     * @param follower supplies, after the start, the follower of changes by other servers
     */
    Future<SchemaRegistry> openSchema(ObjectStore store, ClassDataHandler data, Supplier<SchemaFollower> follower);

    /**
     * Enters the group; completes when this server has the state of all others.
     *
     * @param process the server's name in the store; empty if it has none
     */
    Future<Void> enter(String process, ReplicationHandler handler);

    /** Notifies all others of changed rights of a user; succeeds when all have applied them. */
    Future<Void> broadcastRightsChange(ObjectRef user);

    /** Notifies all others of changed indexes of a class; succeeds when all have applied them. */
    Future<Void> broadcastIndexChange(String bucket);

    /**
     * Notifies all others of unknown changes to objects of a class, or of all classes if the name
     * is empty; succeeds when all have applied that.
     */
    Future<Void> broadcastMissedWrites(String bucket);

    /** Leaves the group and closes the coordinator; never fails. */
    Future<Void> leave();
}
