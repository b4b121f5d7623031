package io.orestes.coordination.local;

import io.orestes.coordination.Coordinator;
import io.orestes.coordination.GroupLocks;
import io.orestes.coordination.Member;
import io.orestes.coordination.MembershipListener;
import io.orestes.coordination.Term;
import io.orestes.coordination.TransactionResolver;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** A coordinator for a server whose whole group runs in this process. Thread-safe. */
final class LocalCoordinator implements Coordinator {

    private final LocalGroup group;
    private final GroupLocks locks;
    private final List<MembershipListener> listeners = new CopyOnWriteArrayList<>();
    private final Map<String, LocalCandidate> candidates = new ConcurrentHashMap<>();
    private volatile LocalMembership localMembership = LocalMembership.none(this);

    LocalCoordinator(LocalGroup group, LocalLocks locks, TransactionResolver transactionResolver) {
        this.group = group;
        this.locks = (transaction, modes) -> locks.acquire(localMembership, transactionResolver, transaction, modes);
    }

    @Override
    public Future<Member> join(String info) {
        return Future.succeededFuture().map(now -> group.join(this, info));
    }

    @Override
    public boolean isCurrent() {
        return !localMembership.isEnded();
    }

    @Override
    public List<Member> members() {
        return isCurrent() ? group.members() : List.of();
    }

    @Override
    public void listen(MembershipListener listener) {
        listeners.add(listener);
    }

    @Override
    public Future<Void> evict(Member member) {
        return done(() -> group.evict(localMembership, member));
    }

    @Override
    public Future<Void> leave() {
        return done(() -> group.remove(localMembership));
    }

    @Override
    public Candidacy runForLeader(String task, Consumer<Term> begin) {
        LocalCandidate candidate = new LocalCandidate(this, task, begin);
        if (candidates.putIfAbsent(task, candidate) != null) {
            throw new IllegalStateException("This server is a candidate already: " + task);
        }
        group.enter(candidate);
        return () -> done(() -> withdraw(candidate));
    }

    @Override
    public Future<Optional<String>> leader(String task) {
        return Future.succeededFuture(group.leader(task));
    }

    @Override
    public Optional<Duration> remainingLease() {
        return Optional.empty();
    }

    @Override
    public GroupLocks locks() {
        return locks;
    }

    @Override
    public Future<Void> close() {
        return done(() -> {
            group.remove(localMembership);
            candidates.values().forEach(this::withdraw);
        });
    }

    LocalMembership membership() {
        return localMembership;
    }

    void setMembership(LocalMembership entered) {
        localMembership = entered;
    }

    void notifyListeners(Consumer<MembershipListener> news) {
        listeners.forEach(news);
    }

    private void withdraw(LocalCandidate candidate) {
        candidates.remove(candidate.task(), candidate);
        group.withdraw(candidate);
    }

    private static Future<Void> done(Runnable action) {
        return Future.succeededFuture().map(now -> {
            action.run();
            return null;
        });
    }
}
