package io.orestes.coordination.zookeeper;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.curator.CuratorZookeeperClient;
import org.apache.curator.ensemble.fixed.FixedEnsembleProvider;
import org.apache.curator.retry.RetryOneTime;
import org.apache.curator.utils.ZKPaths;
import org.apache.zookeeper.AsyncCallback.DataCallback;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.data.Stat;

/**
 * One ZooKeeper session and its asynchronous operations, none of which is ever repeated in a later
 * session. No other class uses ZooKeeper directly. Curator connects and closes; operations go to
 * the handle of the first session, once and in order. All futures complete on the context of the
 * coordinator, where all calls are made. If an operation fails with {@code CONNECTIONLOSS}, it is
 * uncertain whether it was executed.
 */
final class ZooKeeperSession {

    /**
     * Maximum size of a response in bytes; responses, such as the names of all locks of one shard,
     * may exceed requests.
     */
    private static final int MAX_PACKET_BYTES = 16 << 20;

    private static final int RETRY_MILLIS = 100;

    private final Vertx vertx;
    private final Context home;
    private final CuratorZookeeperClient curator;
    private final ZooKeeper handle;

    private ZooKeeperSession(Vertx vertx, Context home, CuratorZookeeperClient curator, ZooKeeper handle) {
        this.vertx = vertx;
        this.home = home;
        this.curator = curator;
        this.handle = handle;
    }

    /**
     * Connects, and creates the missing nodes of the group. Fails if that takes longer than a
     * session lasts, or if the ensemble grants a session that is too short.
     */
    static Future<ZooKeeperSession> open(Vertx vertx, Context home, ZooKeeperConfig config) {
        return vertx.executeBlocking(() -> connect(vertx, home, config), false);
    }

    private static ZooKeeperSession connect(Vertx vertx, Context home, ZooKeeperConfig config) throws Exception {
        CuratorZookeeperClient curator = client(config);
        try {
            curator.start();
            if (!curator.blockUntilConnectedOrTimedOut()) {
                throw new ApiException(
                        ErrorCode.UNAVAILABLE, "it was not reached within " + config.sessionMillis() + " ms");
            }
            ZooKeeper handle = curator.getZooKeeper();
            requireLong(handle.getSessionTimeout(), config);
            prepare(handle, new ZooKeeperPaths(config.root()));
            return new ZooKeeperSession(vertx, home, curator, handle);
        } catch (Exception failure) {
            curator.close();
            throw failure;
        }
    }

    private static CuratorZookeeperClient client(ZooKeeperConfig config) {
        ZKClientConfig settings = new ZKClientConfig();
        settings.setProperty(ZKClientConfig.JUTE_MAXBUFFER, String.valueOf(MAX_PACKET_BYTES));
        // Time-out of blocking operations on worker threads: connecting and closing.
        settings.setProperty(ZKClientConfig.ZOOKEEPER_REQUEST_TIMEOUT, String.valueOf(config.sessionMillis()));
        return new CuratorZookeeperClient(
                (servers, session, watcher, readOnly) -> new ZooKeeper(servers, session, watcher, readOnly, settings),
                new FixedEnsembleProvider(config.servers()),
                config.sessionMillis(),
                config.sessionMillis(),
                event -> {},
                new RetryOneTime(RETRY_MILLIS),
                false);
    }

    private static void requireLong(int millis, ZooKeeperConfig config) {
        if (millis < config.times().minSession().toMillis()) {
            throw new IllegalStateException("ZooKeeper grants sessions of " + millis + " ms only; "
                    + config.times().minSession().toMillis() + " ms are needed");
        }
    }

    /**
     * Creates the nodes of the group. The last shard is created last, so its existence implies that
     * of all nodes.
     */
    private static void prepare(ZooKeeper handle, ZooKeeperPaths zooKeeperPaths) throws Exception {
        List<String> shards = zooKeeperPaths.shards();
        if (handle.exists(shards.get(shards.size() - 1), false) == null) {
            ZKPaths.mkdirs(handle, zooKeeperPaths.members());
            ZKPaths.mkdirs(handle, zooKeeperPaths.tasks());
            for (String shard : shards) {
                ZKPaths.mkdirs(handle, shard);
            }
        }
    }

    /** Executes all operations or none; fails with the code of the first that is impossible. */
    Future<List<OpResult>> multi(List<Op> operations) {
        Promise<List<OpResult>> done = Promise.promise();
        handle.multi(
                operations,
                (code, path, unused, results) -> complete(done, code, "", () -> done.complete(results)),
                null);
        return done.future();
    }

    /** Deletes a node of any version; also succeeds if it does not exist. */
    Future<Void> delete(String path) {
        Promise<Void> done = Promise.promise();
        handle.delete(
                path,
                -1,
                (code, same, unused) -> complete(
                        done, code == Code.NONODE.intValue() ? Code.OK.intValue() : code, path, done::complete),
                null);
        return done.future();
    }

    /** Completes with the node's state if it exists. */
    Future<Optional<Stat>> exists(String path) {
        Promise<Stat> found = Promise.promise();
        handle.exists(
                path,
                false,
                (code, same, unused, stat) -> complete(found, code, path, () -> found.complete(stat)),
                null);
        return absentIsEmpty(found);
    }

    /** Returns the names of the children. */
    Future<List<String>> children(String path) {
        Promise<List<String>> found = Promise.promise();
        handle.getChildren(
                path,
                false,
                (code, same, unused, names) -> complete(found, code, path, () -> found.complete(names)),
                null);
        return found.future();
    }

    /** Returns the names of the children, and calls {@code changed} once when they change. */
    Future<List<String>> children(String path, Runnable changed) {
        Promise<List<String>> found = Promise.promise();
        handle.getChildren(
                path,
                event -> onChange(event, changed),
                (code, same, unused, names) -> complete(found, code, path, () -> found.complete(names)),
                null);
        return found.future();
    }

    /** Returns the data of a node, if it exists. */
    Future<Optional<ZNode>> read(String path) {
        Promise<ZNode> found = Promise.promise();
        handle.getData(path, false, onData(found), null);
        return absentIsEmpty(found);
    }

    /**
     * Returns the data of a node, and calls {@code changed} once when it changes or is deleted;
     * never if it does not exist.
     */
    Future<Optional<ZNode>> read(String path, Runnable changed) {
        Promise<ZNode> found = Promise.promise();
        handle.getData(path, event -> onChange(event, changed), onData(found), null);
        return absentIsEmpty(found);
    }

    /** Ends the session, and with it the membership. */
    Future<Void> close() {
        return vertx.executeBlocking(
                () -> {
                    curator.close();
                    return null;
                },
                false);
    }

    static boolean is(Throwable failure, Code... codes) {
        return failure instanceof KeeperException known && Set.of(codes).contains(known.code());
    }

    private DataCallback onData(Promise<ZNode> found) {
        return (code, path, unused, data, stat) ->
                complete(found, code, path, () -> found.complete(ZNode.of(data, stat.getVersion())));
    }

    /** Filters the events of a watch, which also receives changes of the connection. */
    private void onChange(WatchedEvent event, Runnable changed) {
        if (event.getType() != EventType.None) {
            home.runOnContext(later -> changed.run());
        }
    }

    private void complete(Promise<?> promise, int code, String path, Runnable success) {
        home.runOnContext(later -> {
            if (code == Code.OK.intValue()) {
                success.run();
            } else {
                promise.fail(KeeperException.create(Code.get(code), path));
            }
        });
    }

    private static <T> Future<Optional<T>> absentIsEmpty(Promise<T> found) {
        return found.future()
                .map(Optional::of)
                .recover(failure -> is(failure, Code.NONODE)
                        ? Future.succeededFuture(Optional.empty())
                        : Future.failedFuture(failure));
    }
}
