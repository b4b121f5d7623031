package io.orestes.app;

import io.orestes.auth.password.PasswordService;
import io.orestes.changefeed.ChangeFeedConsumer;
import io.orestes.coordination.Coordinator;
import io.orestes.coordination.Member;
import io.orestes.invalidb.InvalidbClient;
import io.orestes.ops.CoordinationState;
import io.orestes.ops.Diagnostics;
import io.orestes.ops.Health;
import io.orestes.ops.QueueState;
import io.orestes.replication.MemberInfo;
import io.orestes.replication.PeerGroup;
import io.orestes.replication.PeerLinkState;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The diagnostics of one server about its group and its internal queues.
 *
 * @param group empty for a server without a group
 */
record ServerDiagnostics(
        Vertx vertx,
        Coordinator coordinator,
        Optional<PeerGroup> group,
        InvalidbClient matching,
        PasswordService passwords)
        implements Diagnostics {

    /**
     * Returns the state of coordination. A response for the task shows that the coordinator works.
     */
    @Override
    public Future<CoordinationState> coordination() {
        return withTimeout(coordinator.leader(ChangeFeedConsumer.TASK))
                .map(leader -> state(true, leader))
                .otherwise(unreachable -> state(false, Optional.empty()));
    }

    private CoordinationState state(boolean isReached, Optional<String> changeReader) {
        Map<String, PeerLinkState> links = group.map(PeerGroup::linkStates).orElse(Map.of());
        List<CoordinationState.MemberState> servers = coordinator.members().stream()
                .map(member -> server(member, Optional.ofNullable(links.get(member.id()))))
                .toList();
        return new CoordinationState(
                group.isPresent() ? "ZooKeeper" : "process",
                isReached,
                group.map(PeerGroup::isCurrent).orElseGet(coordinator::isCurrent),
                coordinator.remainingLease().orElse(null),
                changeReader.orElse(null),
                servers);
    }

    private CoordinationState.MemberState server(Member member, Optional<PeerLinkState> link) {
        boolean isSelf = group.map(PeerGroup::self).map(member::equals).orElse(true);
        return new CoordinationState.MemberState(
                member.id(),
                MemberInfo.of(member).address(),
                isSelf,
                link.map(ServerDiagnostics::toState).orElse(null));
    }

    private static CoordinationState.ReplicationState toState(PeerLinkState link) {
        return new CoordinationState.ReplicationState(
                link.isConnected(), link.unackedMessages(), link.unackedBytes(), link.maxUnackedBytes());
    }

    @Override
    public Future<QueueState> queues() {
        return workerDelay()
                .map(workers -> new QueueState(
                        matching.waiting(),
                        matching.isLate(),
                        passwords.waiting(),
                        PasswordService.MAX_WAITING,
                        workers.orElse(null)));
    }

    /** Measures the wait by queueing a task. */
    private Future<Optional<Duration>> workerDelay() {
        long asked = System.nanoTime();
        Future<Long> begun = vertx.executeBlocking(System::nanoTime, false);
        return withTimeout(begun)
                .map(at -> Optional.of(Duration.ofNanos(at - asked)))
                .otherwise(Optional.empty());
    }

    private static <T> Future<T> withTimeout(Future<T> answer) {
        return answer.timeout(Health.PROBE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    }
}
