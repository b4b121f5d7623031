package io.orestes.coordination.zookeeper;

import java.util.Optional;
import java.util.stream.Stream;
import org.apache.curator.framework.recipes.cache.ChildData;
import org.apache.curator.framework.recipes.cache.CuratorCacheStorage;

/**
 * The storage of a cache of a node's children, without the node itself. Curator's cache lists the
 * children only if the node has changed since the state in the storage, even if it could not list
 * them then. Without a stored state it lists them after each lost connection. Thread-safe.
 */
final class ParentOmittingStorage implements CuratorCacheStorage {

    private final CuratorCacheStorage children = CuratorCacheStorage.standard();
    private final String parent;

    ParentOmittingStorage(String parent) {
        this.parent = parent;
    }

    @Override
    public Optional<ChildData> put(ChildData node) {
        return node.getPath().equals(parent) ? Optional.empty() : children.put(node);
    }

    @Override
    public Optional<ChildData> remove(String path) {
        return children.remove(path);
    }

    @Override
    public Optional<ChildData> get(String path) {
        return children.get(path);
    }

    @Override
    public int size() {
        return children.size();
    }

    @Override
    public Stream<ChildData> stream() {
        return children.stream();
    }

    @Override
    public void clear() {
        children.clear();
    }
}
