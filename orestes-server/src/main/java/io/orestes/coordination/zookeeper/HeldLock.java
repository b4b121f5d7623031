package io.orestes.coordination.zookeeper;

import io.orestes.coordination.Locks.Lock;
import io.vertx.core.Context;
import java.util.List;

/** Nodes that nobody else's are before. Thread-safe. */
final class HeldLock implements Lock {

    private final Context home;
    private final Presence presence;
    private final List<LockNode> nodes;

    HeldLock(Context home, Presence presence, List<LockNode> nodes) {
        this.home = home;
        this.presence = presence;
        this.nodes = nodes;
    }

    @Override
    public boolean isDoubtful() {
        return !presence.isCurrent();
    }

    @Override
    public void release() {
        home.runOnContext(later ->
                presence.removals().leave(nodes.stream().map(LockNode::path).toList()));
    }
}
