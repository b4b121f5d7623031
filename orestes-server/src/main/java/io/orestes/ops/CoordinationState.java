package io.orestes.ops;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The state of the coordinator and of the members of the server group, for operators.
 *
 * @param kind {@code process} for a server without others, or {@code ZooKeeper}
 * @param isReached whether it answers
 * @param isCurrent whether this server may act on what it has in memory
 * @param leaseLeft until when it may without hearing of the group; empty where no time ends that
 * @param changeReader identity of the server that reads what other programs write; empty if none does
 * @param servers all members, as this server saw them last
 */
public record CoordinationState(
        String kind,
        boolean isReached,
        boolean isCurrent,
        Optional<Duration> leaseLeft,
        Optional<String> changeReader,
        List<MemberState> servers) {

    public CoordinationState {
        servers = List.copyOf(servers);
    }

    /**
     * The state of one member of the server group.
     *
     * @param address where the others reach it; empty for a server without others
     * @param isSelf whether it is this one
     * @param link how it is with what this server tells it; empty if there is none, as to itself
     */
    public record MemberState(String id, String address, boolean isSelf, Optional<ReplicationState> link) {}

    /**
     * The state of the replication from this server to another member.
     *
     * @param unanswered messages that it has not confirmed
     * @param bytes of these
     * @param mostBytes with more of them it is told nothing any more, and has to enter anew
     */
    public record ReplicationState(boolean isConnected, int unanswered, long bytes, long mostBytes) {}
}
