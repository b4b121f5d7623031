package io.orestes.coordination.zookeeper;

import io.orestes.async.Contexts;
import io.orestes.coordination.Coordinator;
import io.orestes.coordination.Locks;
import io.orestes.coordination.Member;
import io.orestes.coordination.MembershipLease;
import io.orestes.coordination.MembershipListener;
import io.orestes.coordination.Term;
import io.orestes.coordination.TransactionResolver;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Map;
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

    private final Vertx vertx;
    private final Context home;
    private final ZooKeeperConfig config;
    private final ZooKeeperPaths zooKeeperPaths;
    private final TransactionResolver transactionResolver;
    private final ZooKeeperLocks locks;
    private final MembershipLease membershipLease = new MembershipLease();
    private final List<MembershipListener> listeners = new CopyOnWriteArrayList<>();
    private final Map<String, ZooKeeperCandidate> candidates = new ConcurrentHashMap<>();
    private volatile @Nullable ZooKeeperMembership zooKeeperMembership;
    private boolean isJoining;

    /** Creates a server that is no member yet, and not connected. */
    public ZooKeeperCoordinator(Vertx vertx, ZooKeeperConfig config, TransactionResolver transactionResolver) {
        this.vertx = vertx;
        this.home = vertx.getOrCreateContext();
        this.config = config;
        this.zooKeeperPaths = new ZooKeeperPaths(config.root());
        this.transactionResolver = transactionResolver;
        this.locks = new ZooKeeperLocks(home, config);
    }

    @Override
    public Future<Member> join(String info) {
        return atHome(() -> {
            if (isJoining || present() != null) {
                throw new IllegalStateException("This server is a member already");
            }
            isJoining = true;
            return ZooKeeperSession.open(vertx, home, config)
                    .compose(zooKeeperSession -> enter(zooKeeperSession, info))
                    .onComplete(done -> isJoining = false);
        });
    }

    @Override
    public boolean isCurrent() {
        return membershipLease.isValid();
    }

    @Override
    public List<Member> members() {
        ZooKeeperMembership present = present();
        return present == null ? List.of() : present.members();
    }

    @Override
    public void listen(MembershipListener listener) {
        listeners.add(listener);
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
        ZooKeeperCandidate zooKeeperCandidate =
                new ZooKeeperCandidate(zooKeeperPaths.task(task), membershipLease, begin);
        if (candidates.putIfAbsent(task, zooKeeperCandidate) != null) {
            throw new IllegalStateException("This server is a candidate already: " + task);
        }
        home.runOnContext(later -> ask(zooKeeperCandidate));
        return () -> atHome(() -> withdraw(task, zooKeeperCandidate));
    }

    @Override
    public Future<Optional<String>> leader(String task) {
        return atHome(
                () -> whilePresent().session().read(zooKeeperPaths.task(task)).map(found -> found.map(ZNode::text)
                        .filter(leader -> !leader.isEmpty())));
    }

    @Override
    public Optional<Duration> remainingLease() {
        return Optional.of(Duration.ofNanos(Math.max(0, membershipLease.remainingNanos())));
    }

    @Override
    public Locks locks() {
        return (transaction, modes) -> atHome(() -> acquire(transaction, modes));
    }

    @Override
    public Future<Void> close() {
        return leave();
    }

    private Future<Locks.Lock> acquire(String transaction, SortedMap<String, Locks.Mode> modes) {
        if (modes.size() > Locks.MAX_KEYS) {
            throw new ApiException(
                    ErrorCode.PAYLOAD_TOO_LARGE, "A commit contains at most " + Locks.MAX_KEYS + " objects");
        }
        return locks.acquire(whilePresent(), transaction, modes);
    }

    private Future<Member> enter(ZooKeeperSession zooKeeperSession, String info) {
        ZooKeeperMembership entering = new ZooKeeperMembership(
                vertx,
                home,
                zooKeeperSession,
                config,
                info,
                membershipLease,
                transactionResolver,
                new MembershipRelay());
        zooKeeperMembership = entering;
        return entering.enter()
                .onSuccess(joined -> candidates.values().forEach(this::ask))
                .recover(failure -> entering.end().otherwiseEmpty().compose(ended -> Future.failedFuture(failure)));
    }

    private Future<Void> withdraw(String task, ZooKeeperCandidate zooKeeperCandidate) {
        Future<Void> withdrawn =
                zooKeeperCandidate.withdraw().onComplete(done -> candidates.remove(task, zooKeeperCandidate));
        ask(zooKeeperCandidate);
        return withdrawn;
    }

    private void ask(ZooKeeperCandidate zooKeeperCandidate) {
        ZooKeeperMembership present = present();
        if (present == null) {
            zooKeeperCandidate.endMembership();
        } else {
            zooKeeperCandidate.tryAcquire(present);
        }
    }

    private @Nullable ZooKeeperMembership present() {
        ZooKeeperMembership latest = zooKeeperMembership;
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
        Promise<T> done = Promise.promise();
        home.runOnContext(now -> Future.succeededFuture()
                .compose(begun -> action.get())
                .recover(failure -> Future.failedFuture(unavailable(failure)))
                .onComplete(done));
        return Contexts.on(vertx.getOrCreateContext(), done.future());
    }

    private static Throwable unavailable(Throwable failure) {
        return failure instanceof ApiException || failure instanceof IllegalStateException
                ? failure
                : ApiException.fault(
                        ErrorCode.UNAVAILABLE, "The coordination service cannot be reached at the moment", failure);
    }

    /** The relay of membership events to listeners and candidates. */
    private final class MembershipRelay implements ZooKeeperMembership.MembershipCallbacks {

        @Override
        public void memberJoined(Member member) {
            listeners.forEach(listener -> listener.memberJoined(member));
        }

        @Override
        public void memberLeft(Member member) {
            listeners.forEach(listener -> listener.memberLeft(member));
            candidates.values().forEach(ZooKeeperCoordinator.this::ask);
        }

        @Override
        public void membershipLost() {
            listeners.forEach(MembershipListener::membershipLost);
        }

        @Override
        public void lapsed() {
            candidates
                    .values()
                    .forEach(present() == null ? ZooKeeperCandidate::endMembership : ZooKeeperCandidate::endTerm);
        }

        @Override
        public void tick(ZooKeeperMembership current) {
            candidates.values().forEach(zooKeeperCandidate -> zooKeeperCandidate.tryAcquire(current));
        }
    }
}
