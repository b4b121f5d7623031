package io.orestes.coordination.zookeeper;

import io.orestes.coordination.Locks.Lock;
import io.vertx.core.Context;
import java.util.List;

/**
 * An acquired lock, represented by ZooKeeper nodes that are first in the queues of their keys.
 * Thread-safe.
 */
final class ZooKeeperLock implements Lock {

    private final Context home;
    private final ZooKeeperMembership zooKeeperMembership;
    private final List<LockNode> nodes;

    ZooKeeperLock(Context home, ZooKeeperMembership zooKeeperMembership, List<LockNode> nodes) {
        this.home = home;
        this.zooKeeperMembership = zooKeeperMembership;
        this.nodes = nodes;
    }

    @Override
    public boolean isInDoubt() {
        return !zooKeeperMembership.isCurrent();
    }

    @Override
    public void release() {
        home.runOnContext(later -> zooKeeperMembership
                .nodeRemover()
                .removeLater(nodes.stream().map(LockNode::path).toList()));
    }
}
