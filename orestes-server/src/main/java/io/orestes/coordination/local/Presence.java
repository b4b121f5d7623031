package io.orestes.coordination.local;

import io.orestes.coordination.Member;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** One membership of one server, until it is over, and the places in queues that it has. Thread-safe. */
final class Presence {

    private final LocalCoordinator server;
    private final Member member;
    private final Set<Claim> claims = ConcurrentHashMap.newKeySet();
    private volatile boolean isOver;

    Presence(LocalCoordinator server, Member member) {
        this.server = server;
        this.member = member;
    }

    /** That of a server that has not joined yet. */
    static Presence none(LocalCoordinator server) {
        Presence none = new Presence(server, new Member("", ""));
        none.end();
        return none;
    }

    LocalCoordinator server() {
        return server;
    }

    Member member() {
        return member;
    }

    boolean isOver() {
        return isOver;
    }

    void add(Claim claim) {
        claims.add(claim);
    }

    void remove(Claim claim) {
        claims.remove(claim);
    }

    /** From then on others settle what it holds. */
    void end() {
        isOver = true;
        claims.forEach(Claim::abandon);
    }
}
