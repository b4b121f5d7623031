package io.orestes.coordination.local;

import io.orestes.coordination.Member;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * One membership of one server in a group of this process, with the lock requests that it owns.
 * Thread-safe.
 */
final class LocalMembership {

    private final LocalCoordinator server;
    private final Member member;
    private final Set<LocalLockRequest> claims = ConcurrentHashMap.newKeySet();
    private volatile boolean isOver;

    LocalMembership(LocalCoordinator server, Member member) {
        this.server = server;
        this.member = member;
    }

    /** Returns the membership of a server that has not joined yet. */
    static LocalMembership none(LocalCoordinator server) {
        LocalMembership none = new LocalMembership(server, new Member("", ""));
        none.end();
        return none;
    }

    LocalCoordinator server() {
        return server;
    }

    Member member() {
        return member;
    }

    boolean isEnded() {
        return isOver;
    }

    void add(LocalLockRequest localLockRequest) {
        claims.add(localLockRequest);
    }

    void remove(LocalLockRequest localLockRequest) {
        claims.remove(localLockRequest);
    }

    /** Ends the membership; from then on others resolve the transactions of its locks. */
    void end() {
        isOver = true;
        claims.forEach(LocalLockRequest::resolveForWaiters);
    }
}
