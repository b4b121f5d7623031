package io.orestes.coordination.zookeeper;

import io.orestes.async.Contexts;
import io.orestes.coordination.Member;
import io.orestes.coordination.MembershipListener;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.recipes.cache.ChildData;
import org.apache.curator.framework.recipes.cache.CuratorCache;
import org.apache.curator.framework.recipes.cache.CuratorCacheListener;
import org.apache.curator.utils.ZKPaths;
import org.apache.zookeeper.KeeperException;

/**
 * The list of the group's members as one ZooKeeper session sees it, by Curator's cache of their
 * nodes. A member that has departed never comes back. So an old list may lack new members and may
 * contain departed ones, and has no other errors. Called on the coordinator's context, except for
 * {@link #members}. The list may be ahead of the listener, which is called there later.
 */
final class MemberList {

    private final ZooKeeperSession session;
    private final MembershipListener listener;
    private final CuratorCache cache;
    private final Promise<Void> loaded = Promise.promise();
    private final Map<String, Promise<Void>> departures = new HashMap<>();

    MemberList(ZooKeeperSession session, MembershipListener listener) {
        this.session = session;
        this.listener = listener;
        this.cache = session.cacheOfChildren(ZooKeeperPaths.MEMBERS, loaded::tryFail);
    }

    /**
     * Reads the list, and reports changes to the listener from then on. Fails if a part of it could
     * not be read, since a missing member would count as departed. The cache reads the whole list
     * again whenever it is connected again.
     */
    Future<Void> load() {
        cache.listenable()
                .addListener(CuratorCacheListener.builder()
                        .forCreates(this::onCreate)
                        .forDeletes(this::onDelete)
                        .forInitialized(loaded::tryComplete)
                        .build());
        cache.start();
        return Contexts.on(
                session.context(),
                loaded.future().timeout(session.times().session().toMillis(), TimeUnit.MILLISECONDS));
    }

    /** Fails all that wait for the list; to be called when the session is closed. */
    void close() {
        KeeperException closed = new KeeperException.SessionExpiredException();
        loaded.tryFail(closed);
        List.copyOf(departures.values()).forEach(departure -> departure.tryFail(closed));
    }

    /** Returns the last observed members, by identity. */
    List<Member> members() {
        return cache.stream()
                .map(MemberList::member)
                .sorted(Comparator.comparing(Member::id))
                .toList();
    }

    boolean isKnown(String id) {
        return cache.get(ZooKeeperPaths.member(id)).isPresent();
    }

    /**
     * Completes when a member is not in the list, or not any more, or when this server has closed
     * its session and observes no departure.
     */
    Future<Void> awaitDeparture(String id) {
        return isKnown(id) && !session.isClosed()
                ? departures.computeIfAbsent(id, known -> Promise.promise()).future()
                : Future.succeededFuture();
    }

    private void onCreate(ChildData node) {
        if (isMember(node) && !session.isClosed()) {
            listener.memberJoined(member(node));
        }
    }

    private void onDelete(ChildData node) {
        if (!session.isClosed()) {
            Member member = member(node);
            listener.memberLeft(member);
            Promise<Void> departure = departures.remove(member.id());
            if (departure != null) {
                departure.complete();
            }
        }
    }

    private static boolean isMember(ChildData node) {
        return !node.getPath().equals(ZooKeeperPaths.MEMBERS);
    }

    private static Member member(ChildData node) {
        return new Member(
                ZKPaths.getNodeFromPath(node.getPath()),
                ZNode.of(node.getData(), node.getStat().getVersion()).text());
    }
}
