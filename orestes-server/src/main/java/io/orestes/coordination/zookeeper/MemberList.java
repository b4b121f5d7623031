package io.orestes.coordination.zookeeper;

import io.orestes.coordination.Member;
import io.orestes.coordination.MembershipListener;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The list of the group's members as one ZooKeeper session sees it, updated by watches. A vanished
 * member never comes back. So an old list may lack new members and may contain vanished ones, and
 * has no other errors. Changed on the coordinator's context, read anywhere.
 */
final class MemberList {

    private final ZooKeeperSession zooKeeperSession;
    private final ZooKeeperPaths zooKeeperPaths;
    private final MembershipListener listener;
    private final SortedMap<String, Member> members = new TreeMap<>();
    private final Map<String, Promise<Void>> vanishing = new HashMap<>();
    private volatile List<Member> snapshot = List.of();
    private boolean isWatched;

    MemberList(ZooKeeperSession zooKeeperSession, ZooKeeperPaths zooKeeperPaths, MembershipListener listener) {
        this.zooKeeperSession = zooKeeperSession;
        this.zooKeeperPaths = zooKeeperPaths;
        this.listener = listener;
    }

    /** Returns the last observed members, by identity. */
    List<Member> members() {
        return snapshot;
    }

    boolean isKnown(String id) {
        return members.containsKey(id);
    }

    /** Completes when a known member is no member any more. */
    Future<Void> awaitDeparture(String id) {
        return vanishing.computeIfAbsent(id, unused -> Promise.promise()).future();
    }

    /** Reads the list again unless a watch on it is set. */
    Future<Void> ensureWatched() {
        return isWatched ? Future.succeededFuture() : refresh();
    }

    /** Reads the list, reports changes to the listener, and sets a watch for the next change. */
    Future<Void> refresh() {
        isWatched = true;
        return zooKeeperSession
                .children(zooKeeperPaths.members(), this::onChange)
                .compose(this::update)
                .onFailure(failure -> isWatched = false);
    }

    private void onChange() {
        isWatched = false;
        refresh().onFailure(failure -> isWatched = false);
    }

    private Future<Void> update(Collection<String> ids) {
        List<Member> gone = members.values().stream()
                .filter(member -> !ids.contains(member.id()))
                .toList();
        gone.forEach(this::remove);
        return Future.all(
                        ids.stream().filter(id -> !isKnown(id)).map(this::find).toList())
                .mapEmpty();
    }

    private Future<Void> find(String id) {
        return zooKeeperSession
                .read(zooKeeperPaths.member(id))
                .onSuccess(node -> node.ifPresent(found -> add(new Member(id, found.text()))))
                .mapEmpty();
    }

    private void add(Member member) {
        if (members.putIfAbsent(member.id(), member) == null) {
            publish(members);
            listener.memberJoined(member);
        }
    }

    private void remove(Member member) {
        if (members.remove(member.id(), member)) {
            publish(members);
            listener.memberLeft(member);
            Optional.ofNullable(vanishing.remove(member.id())).ifPresent(Promise::complete);
        }
    }

    private void publish(Map<String, Member> current) {
        snapshot = List.copyOf(current.values());
    }
}
