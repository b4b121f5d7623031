package io.orestes.cluster;

import io.orestes.auth.password.PasswordService;
import io.orestes.changefeed.ChangeFeedConsumer;
import io.orestes.coordination.Member;
import io.orestes.invalidb.InvalidbClient;
import io.orestes.ops.CoordinationState;
import io.orestes.ops.Diagnostics;
import io.orestes.ops.Health;
import io.orestes.ops.QueueState;
import io.orestes.replication.link.MemberInfo;
import io.orestes.replication.link.PeerLinkStatus;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The diagnostics of one server about its group and its internal queues. */
public record ServerDiagnostics(Vertx vertx, ServerGroup group, InvalidbClient matching, PasswordService passwords)
        implements Diagnostics {

    /**
     * Returns the state of coordination. A response for the task shows that the coordinator works.
     */
    @Override
    public Future<CoordinationState> coordination() {
        return withTimeout(group.coordinator().leader(ChangeFeedConsumer.TASK))
                .map(leader -> state(true, leader.orElse(null)))
                .otherwise(unreachable -> state(false, null));
    }

    private CoordinationState state(boolean isReached, @Nullable String changeReader) {
        Map<String, PeerLinkStatus> links = group.linkStates();
        List<CoordinationState.MemberState> servers = group.coordinator().members().stream()
                .map(member -> server(member, links))
                .toList();
        return new CoordinationState(
                group.coordinationKind(),
                isReached,
                group.isCurrent(),
                group.coordinator().remainingLease().orElse(null),
                changeReader,
                servers);
    }

    private CoordinationState.MemberState server(Member member, Map<String, PeerLinkStatus> links) {
        PeerLinkStatus link = links.get(member.id());
        return new CoordinationState.MemberState(
                member.id(),
                MemberInfo.of(member).address(),
                group.isSelf(member),
                link == null ? null : toState(link));
    }

    private static CoordinationState.ReplicationState toState(PeerLinkStatus link) {
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
