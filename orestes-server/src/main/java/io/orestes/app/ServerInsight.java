package io.orestes.app;

import io.orestes.auth.Passwords;
import io.orestes.coordination.Coordinator;
import io.orestes.coordination.Member;
import io.orestes.foreign.ForeignWrites;
import io.orestes.ops.CoordinationState;
import io.orestes.ops.Health;
import io.orestes.ops.Insight;
import io.orestes.ops.QueueState;
import io.orestes.peers.Group;
import io.orestes.peers.LinkState;
import io.orestes.peers.MemberInfo;
import io.orestes.realtime.QueryMatching;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * What one server knows of its group and its queues.
 *
 * @param group empty for a server without others
 */
record ServerInsight(
        Vertx vertx, Coordinator coordinator, Optional<Group> group, QueryMatching matching, Passwords passwords)
        implements Insight {

    /** That the task can be asked for tells that the coordinator answers. */
    @Override
    public Future<CoordinationState> coordination() {
        return soon(coordinator.leader(ForeignWrites.TASK))
                .map(leader -> state(true, leader))
                .otherwise(unreachable -> state(false, Optional.empty()));
    }

    private CoordinationState state(boolean isReached, Optional<String> changeReader) {
        Map<String, LinkState> links = group.map(Group::links).orElse(Map.of());
        List<CoordinationState.Server> servers = coordinator.members().stream()
                .map(member -> server(member, Optional.ofNullable(links.get(member.id()))))
                .toList();
        return new CoordinationState(
                group.isPresent() ? "ZooKeeper" : "process",
                isReached,
                group.map(Group::isCurrent).orElseGet(coordinator::isCurrent),
                coordinator.leaseLeft(),
                changeReader,
                servers);
    }

    private CoordinationState.Server server(Member member, Optional<LinkState> link) {
        boolean isSelf = group.map(Group::self).map(member::equals).orElse(true);
        return new CoordinationState.Server(
                member.id(), MemberInfo.of(member).address(), isSelf, link.map(ServerInsight::told));
    }

    private static CoordinationState.Link told(LinkState link) {
        return new CoordinationState.Link(link.isConnected(), link.unanswered(), link.bytes(), link.mostBytes());
    }

    @Override
    public Future<QueueState> queues() {
        return waitOfWorkers()
                .map(workers -> new QueueState(
                        matching.waiting(), matching.isLate(), passwords.waiting(), Passwords.MOST_WAITING, workers));
    }

    /** By queueing up. */
    private Future<Optional<Duration>> waitOfWorkers() {
        long asked = System.nanoTime();
        Future<Long> begun = vertx.executeBlocking(System::nanoTime, false);
        return soon(begun).map(at -> Optional.of(Duration.ofNanos(at - asked))).otherwise(Optional.empty());
    }

    private static <T> Future<T> soon(Future<T> answer) {
        return answer.timeout(Health.PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    }
}
