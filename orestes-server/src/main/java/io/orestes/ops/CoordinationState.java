package io.orestes.ops;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of the coordinator and of the members of the server group, for operators.
 *
 * @param kind {@code process} for a server without others, or {@code ZooKeeper}
 * @param isReached true if the coordinator answers
 * @param isCurrent true if this server may act on its state in memory
 * @param leaseLeft remaining time for which it may do so without contact to the group; {@code
 *     null} without a limit
 * @param changeReader identity of the server that reads the writes of other programs; {@code null}
 *     if none does
 * @param servers the members that this server last observed
 */
public record CoordinationState(
        String kind,
        boolean isReached,
        boolean isCurrent,
        @Nullable Duration leaseLeft,
        @Nullable String changeReader,
        List<MemberState> servers) {

    public CoordinationState {
        servers = List.copyOf(servers);
    }

    /**
     * The state of one member of the server group.
     *
     * @param address its address for other members; empty for a single server
     * @param isSelf true for this server
     * @param link state of the replication from this server to it; {@code null} if there is
     *     none, as to itself
     */
    public record MemberState(String id, String address, boolean isSelf, @Nullable ReplicationState link) {}

    /**
     * The state of the replication from this server to another member.
     *
     * @param unacknowledged number of messages that the member has not confirmed
     * @param bytes size of these messages
     * @param maxBytes limit on that size; beyond it the member receives nothing more and has to
     *     join again
     */
    public record ReplicationState(boolean isConnected, int unacknowledged, long bytes, long maxBytes) {}
}
