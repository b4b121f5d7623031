package io.orestes.coordination.zookeeper;

import io.orestes.async.Contexts;
import io.orestes.coordination.Coordinator;
import io.orestes.coordination.GroupLocks;
import io.orestes.coordination.Member;
import io.orestes.coordination.MembershipLease;
import io.orestes.coordination.MembershipListener;
import io.orestes.coordination.Term;
import io.orestes.coordination.TransactionResolver;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A coordinator for a server whose group meets in ZooKeeper. Calls are moved to one event loop, and
 * their results return from there. Only the lease is read by all threads. Each membership has a
 * session of its own.
 */
public final class ZooKeeperCoordinator implements Coordinator {

    private final Context home;
    private final ZooKeeperConfig config;
    private final CrossMembershipState server;
    private volatile @Nullable ZooKeeperMembership membership;
    private boolean isJoining;

    /** Creates a server that is no member yet, and not connected. */
    public ZooKeeperCoordinator(Vertx vertx, ZooKeeperConfig config, TransactionResolver transactionResolver) {
        this.home = vertx.getOrCreateContext();
        this.config = config;
        this.server = new CrossMembershipState(
                new MembershipLease(), new CopyOnWriteArrayList<>(), new ConcurrentHashMap<>(), transactionResolver);
    }

    @Override
    public Future<Member> join(String info) {
        return atHome(() -> {
            if (isJoining || present() != null) {
                throw new IllegalStateException("This server is a member already");
            }
            isJoining = true;
            return ZooKeeperSession.open(home, config)
                    .compose(session -> enter(session, info))
                    .onComplete(done -> isJoining = false);
        });
    }

    @Override
    public boolean isCurrent() {
        return server.lease().isValid();
    }

    @Override
    public List<Member> members() {
        ZooKeeperMembership present = present();
        return present == null ? List.of() : present.members();
    }

    @Override
    public void listen(MembershipListener listener) {
        server.listeners().add(listener);
    }

    @Override
    public Future<Void> evict(Member member) {
        return atHome(() -> whilePresent().evict(member));
    }

    @Override
    public Future<Void> leave() {
        return atHome(() -> {
            ZooKeeperMembership present = present();
            return present == null ? Future.succeededFuture() : present.end();
        });
    }

    @Override
    public Candidacy runForLeader(String task, Consumer<Term> begin) {
        ZooKeeperCandidate candidate = new ZooKeeperCandidate(task, server.lease(), begin);
        if (server.candidates().putIfAbsent(task, candidate) != null) {
            throw new IllegalStateException("This server is a candidate already: " + task);
        }
        home.runOnContext(later -> ask(candidate));
        return () -> atHome(() -> withdraw(task, candidate));
    }

    @Override
    public Future<Optional<String>> leader(String task) {
        return atHome(
                () -> whilePresent().session().read(ZooKeeperPaths.task(task)).map(found -> found.map(ZNode::text)
                        .filter(leader -> !leader.isEmpty())));
    }

    @Override
    public Optional<Duration> remainingLease() {
        return Optional.of(Duration.ofNanos(Math.max(0, server.lease().remainingNanos())));
    }

    @Override
    public GroupLocks locks() {
        return (transaction, modes) -> atHome(() -> acquire(transaction, modes));
    }

    @Override
    public Future<Void> close() {
        return leave();
    }

    private Future<GroupLocks.Lock> acquire(String transaction, SortedMap<String, GroupLocks.Mode> modes) {
        if (modes.size() > GroupLocks.MAX_KEYS) {
            throw new ApiException(
                    ErrorCode.PAYLOAD_TOO_LARGE, "A commit contains at most " + GroupLocks.MAX_KEYS + " objects");
        }
        return whilePresent().locks().acquire(transaction, modes);
    }

    private Future<Member> enter(ZooKeeperSession session, String info) {
        ZooKeeperMembership entering = new ZooKeeperMembership(session, info, server);
        membership = entering;
        return entering.enter()
                .recover(failure -> entering.end().otherwiseEmpty().compose(ended -> Future.failedFuture(failure)));
    }

    private Future<Void> withdraw(String task, ZooKeeperCandidate candidate) {
        Future<Void> withdrawn =
                candidate.withdraw().onComplete(done -> server.candidates().remove(task, candidate));
        ask(candidate);
        return withdrawn;
    }

    private void ask(ZooKeeperCandidate candidate) {
        ZooKeeperMembership present = present();
        if (present == null) {
            candidate.endMembership();
        } else {
            candidate.tryAcquire(present);
        }
    }

    private @Nullable ZooKeeperMembership present() {
        ZooKeeperMembership latest = membership;
        return latest == null || latest.isEnded() ? null : latest;
    }

    private ZooKeeperMembership whilePresent() {
        ZooKeeperMembership present = present();
        if (present == null || !present.isCurrent()) {
            throw new ApiException(ErrorCode.UNAVAILABLE, "This server is not a member of its group at the moment");
        }
        return present;
    }

    private <T> Future<T> atHome(Supplier<Future<T>> action) {
        return Contexts.call(home, action).recover(failure -> Future.failedFuture(unavailable(failure)));
    }

    private static Throwable unavailable(Throwable failure) {
        return failure instanceof ApiException || failure instanceof IllegalStateException
                ? failure
                : ApiException.fault(
                        ErrorCode.UNAVAILABLE, "The coordination service cannot be reached at the moment", failure);
    }
}
