package io.orestes.coordination.zookeeper;

import io.orestes.coordination.CoordinationTimeouts;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.api.transaction.CuratorOp;
import org.apache.curator.framework.api.transaction.CuratorTransactionResult;
import org.apache.curator.framework.recipes.cache.CuratorCache;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.retry.RetryNTimes;
import org.apache.curator.x.async.AsyncCuratorFramework;
import org.apache.curator.x.async.AsyncStage;
import org.apache.curator.x.async.WatchMode;
import org.apache.curator.x.async.api.AsyncTransactionOp;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.data.Stat;

/**
 * One ZooKeeper session and its asynchronous operations, by Curator's framework. No operation is
 * repeated, and none reaches a later session. While the connection is lost, an operation waits for
 * it at most as long as a session lasts. So an operation may be executed after a later one. If it
 * fails with {@code CONNECTIONLOSS}, it is uncertain whether it was executed. All futures complete
 * on the context of the coordinator, where all calls are made. All paths are relative to the root
 * of the group.
 */
final class ZooKeeperSession {

    private static final byte[] NO_DATA = {};

    private final Context context;
    private final CoordinationTimeouts times;
    private final AsyncCuratorFramework curator;
    private final Executor executor;
    private boolean isClosed;

    private ZooKeeperSession(Context context, CoordinationTimeouts times, CuratorFramework curator) {
        this.context = context;
        this.times = times;
        this.curator = AsyncCuratorFramework.wrap(curator);
        this.executor = executorOf(context);
    }

    /**
     * Connects, and creates the missing nodes of the group. Fails if that takes longer than a
     * session lasts, or if the ensemble grants a session that is too short.
     */
    static Future<ZooKeeperSession> open(Context context, ZooKeeperConfig config) {
        return context.owner().executeBlocking(() -> connect(context, config), false);
    }

    private static ZooKeeperSession connect(Context context, ZooKeeperConfig config) throws Exception {
        SingleSessionFactory factory = new SingleSessionFactory();
        CuratorFramework curator = framework(config, factory, executorOf(context));
        try {
            curator.start();
            if (!curator.blockUntilConnected(config.sessionMillis(), TimeUnit.MILLISECONDS)) {
                throw new ApiException(
                        ErrorCode.UNAVAILABLE, "it was not reached within " + config.sessionMillis() + " ms");
            }
            requireLong(factory.grantedSessionMillis(), config.times());
            createGroup(curator);
            return new ZooKeeperSession(context, config.times(), curator);
        } catch (Exception failure) {
            curator.close();
            throw failure;
        }
    }

    private static CuratorFramework framework(ZooKeeperConfig config, SingleSessionFactory factory, Executor executor) {
        return CuratorFrameworkFactory.builder()
                .connectString(config.servers())
                .ensembleTracker(false)
                .zookeeperFactory(factory)
                .namespace(config.root().substring(1))
                .sessionTimeoutMs(config.sessionMillis())
                .connectionTimeoutMs(config.sessionMillis())
                .retryPolicy(new RetryNTimes(0, 0))
                .runSafeService(executor)
                .build();
    }

    private static Executor executorOf(Context context) {
        return command -> context.runOnContext(later -> command.run());
    }

    private static void requireLong(int sessionMillis, CoordinationTimeouts times) {
        if (sessionMillis < times.minSession().toMillis()) {
            throw new IllegalStateException("ZooKeeper grants sessions of " + sessionMillis + " ms only; "
                    + times.minSession().toMillis() + " ms are needed");
        }
    }

    /**
     * Creates the nodes of the group. The last shard is created last, so its existence implies that
     * of all nodes.
     */
    private static void createGroup(CuratorFramework curator) throws Exception {
        List<String> nodes = ZooKeeperPaths.ofGroup();
        if (curator.checkExists().forPath(nodes.get(nodes.size() - 1)) == null) {
            for (String node : nodes) {
                String unused = curator.create().idempotent().forPath(node, NO_DATA);
            }
        }
    }

    Context context() {
        return context;
    }

    CoordinationTimeouts times() {
        return times;
    }

    /** Returns whether this server has closed it. */
    boolean isClosed() {
        return isClosed;
    }

    /**
     * Returns whether it has a connection. In a long outage few operations should be sent, because
     * Curator remembers each that waits until it is connected again.
     */
    boolean isConnected() {
        return curator.unwrap().getZookeeperClient().isConnected();
    }

    /** Calls {@code action} whenever the connection enters this state. */
    void on(ConnectionState entered, Runnable action) {
        curator.unwrap()
                .getConnectionStateListenable()
                .addListener(
                        (client, state) -> {
                            if (state == entered) {
                                action.run();
                            }
                        },
                        executor);
    }

    /** Returns a cache of the children of a node that is not started yet. */
    CuratorCache cacheOfChildren(String path, Consumer<Exception> failed) {
        return CuratorCache.builder(curator.unwrap(), path)
                .withStorage(new ParentOmittingStorage(path))
                .withExceptionHandler(failure -> executor.execute(() -> failed.accept(failure)))
                .build();
    }

    /** Executes all operations or none; fails with the code of the first that is impossible. */
    Future<List<CuratorTransactionResult>> multi(Function<AsyncTransactionOp, List<CuratorOp>> operations) {
        return send(() -> curator.transaction().forOperations(operations.apply(curator.transactionOp())));
    }

    /** Deletes a node of any version; also succeeds if it does not exist. */
    Future<Void> delete(String path) {
        return emptyIfAbsent(send(() -> curator.delete().forPath(path))).mapEmpty();
    }

    /** Returns the names of the children. */
    Future<List<String>> children(String path) {
        return send(() -> curator.getChildren().forPath(path));
    }

    /** Returns the data of a node, if it exists. */
    Future<Optional<ZNode>> read(String path) {
        Stat stat = new Stat();
        return found(send(() -> curator.getData().storingStatIn(stat).forPath(path)), stat);
    }

    /**
     * Returns the data of a node, and calls {@code changed} once when it changes or is deleted;
     * never if it does not exist.
     */
    Future<Optional<ZNode>> read(String path, Runnable changed) {
        Stat stat = new Stat();
        return found(
                send(() -> {
                    AsyncStage<byte[]> data = curator.with(WatchMode.successOnly)
                            .watched()
                            .getData()
                            .storingStatIn(stat)
                            .forPath(path);
                    data.event().thenRunAsync(changed, executor);
                    return data;
                }),
                stat);
    }

    /** Ends the session, and with it the membership. */
    Future<Void> close() {
        isClosed = true;
        return context.owner()
                .executeBlocking(
                        () -> {
                            curator.unwrap().close();
                            return null;
                        },
                        false);
    }

    static boolean is(Throwable failure, Code... codes) {
        return failure instanceof KeeperException known && Set.of(codes).contains(known.code());
    }

    private <T> Future<T> send(Supplier<CompletionStage<T>> request) {
        return isClosed
                ? Future.failedFuture(new KeeperException.SessionExpiredException())
                : Future.fromCompletionStage(request.get(), context);
    }

    private static Future<Optional<ZNode>> found(Future<byte[]> data, Stat stat) {
        return emptyIfAbsent(data.map(read -> ZNode.of(read, stat.getVersion())));
    }

    private static <T> Future<Optional<T>> emptyIfAbsent(Future<T> found) {
        return found.map(Optional::ofNullable)
                .recover(failure -> is(failure, Code.NONODE)
                        ? Future.succeededFuture(Optional.empty())
                        : Future.failedFuture(failure));
    }
}
