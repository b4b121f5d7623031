package io.orestes.coordination.local;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.orestes.coordination.CoordinationTimeouts;
import io.orestes.coordination.Coordinator;
import io.orestes.coordination.Member;
import io.orestes.coordination.MembershipListener;
import io.orestes.coordination.TransactionResolver;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The group of one server, or of several in the same process. Its members always reach each other,
 * so a lease is as long as the membership, and an evicted member vanishes at once. Thread-safe:
 * guarded by its monitor; listeners are called on one event loop.
 */
public final class LocalGroup {

    private final Context home;
    private final LocalLocks locks;
    private final SortedMap<String, LocalMembership> present = new TreeMap<>();
    private final Map<String, LocalElection> elections = new HashMap<>();

    public LocalGroup(Vertx vertx, CoordinationTimeouts config) {
        this.home = vertx.getOrCreateContext();
        this.locks = new LocalLocks(vertx, config.lockWait());
    }

    /** Returns a server that is the only one of its group, and a member already. */
    public static Coordinator alone(Vertx vertx, CoordinationTimeouts config) {
        LocalGroup group = new LocalGroup(vertx, config);
        LocalCoordinator server = new LocalCoordinator(group, group.locks, transaction -> Future.succeededFuture());
        group.join(server, "");
        return server;
    }

    /** Returns another server; it is no member before it joins. */
    public Coordinator server(TransactionResolver transactionResolver) {
        return new LocalCoordinator(this, locks, transactionResolver);
    }

    /**
     * Returns the number of locked keys and queue entries of waiting requests; a key counts once
     * for each.
     */
    public int lockCount() {
        return locks.lockCount();
    }

    synchronized List<Member> members() {
        return present.values().stream().map(LocalMembership::member).toList();
    }

    @CanIgnoreReturnValue
    synchronized Member join(LocalCoordinator server, String info) {
        if (!server.membership().isEnded()) {
            throw new IllegalStateException("This server is a member already");
        }
        LocalMembership localMembership = new LocalMembership(server, Member.entering(info));
        server.setMembership(localMembership);
        enter(localMembership);
        return localMembership.member();
    }

    private void enter(LocalMembership localMembership) {
        members().forEach(other -> notifyListeners(localMembership, listener -> listener.memberJoined(other)));
        present.put(localMembership.member().id(), localMembership);
        notifyMembers(listener -> listener.memberJoined(localMembership.member()));
        elections.values().forEach(LocalElection::replaceLeader);
    }

    /** Removes a member and returns whether it was there. */
    @CanIgnoreReturnValue
    synchronized boolean remove(LocalMembership localMembership) {
        localMembership.end();
        if (!present.remove(localMembership.member().id(), localMembership)) {
            return false;
        }
        elections.values().forEach(LocalElection::replaceLeader);
        notifyMembers(listener -> listener.memberLeft(localMembership.member()));
        return true;
    }

    /** Removes a member and notifies it; fails if {@code requester} is no member itself. */
    synchronized void evict(LocalMembership requester, Member member) {
        if (requester.isEnded()) {
            throw new ApiException(ErrorCode.UNAVAILABLE, "This server is not a member of its group");
        }
        LocalMembership evicted = present.get(member.id());
        if (evicted != null && remove(evicted)) {
            notifyListeners(evicted, MembershipListener::membershipLost);
        }
    }

    synchronized void enter(LocalCandidate candidate) {
        election(candidate).enter(candidate);
    }

    synchronized void withdraw(LocalCandidate candidate) {
        election(candidate).leave(candidate);
    }

    synchronized Optional<String> leader(String task) {
        return Optional.ofNullable(elections.get(task)).flatMap(LocalElection::leader);
    }

    private LocalElection election(LocalCandidate candidate) {
        return elections.computeIfAbsent(candidate.task(), unused -> new LocalElection(home));
    }

    private void notifyMembers(Consumer<MembershipListener> news) {
        present.values().forEach(localMembership -> notifyListeners(localMembership, news));
    }

    private void notifyListeners(LocalMembership localMembership, Consumer<MembershipListener> news) {
        home.runOnContext(later -> localMembership.server().notifyListeners(news));
    }
}
