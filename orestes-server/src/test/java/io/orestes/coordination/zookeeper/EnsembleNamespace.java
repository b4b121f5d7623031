package io.orestes.coordination.zookeeper;

import io.orestes.coordination.CoordinationTimeouts;
import io.orestes.coordination.Coordinator;
import io.orestes.coordination.Member;
import io.orestes.coordination.TransactionResolver;
import io.vertx.core.Vertx;
import java.util.UUID;
import org.apache.curator.CuratorZookeeperClient;
import org.apache.curator.RetryLoop;
import org.apache.curator.retry.RetryNTimes;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;

/** A node in an ensemble for the group of one test, with a client that observes it. */
public final class EnsembleNamespace implements AutoCloseable {

    private static final int SHARDS = 64;

    private final ZooKeeperConfig config;
    private final CuratorZookeeperClient observer;

    /** Creates a node of its own in the ensemble. */
    public EnsembleNamespace(String servers, CoordinationTimeouts times) {
        this.config = new ZooKeeperConfig(servers, "/test-" + UUID.randomUUID(), times);
        this.observer = new CuratorZookeeperClient(servers, 10_000, 10_000, event -> {}, new RetryNTimes(600, 100));
        try {
            observer.start();
            observer.blockUntilConnectedOrTimedOut();
        } catch (Exception failure) {
            throw new AssertionError(failure);
        }
    }

    public Coordinator server(Vertx vertx, TransactionResolver transactionResolver) {
        return new ZooKeeperCoordinator(vertx, config, transactionResolver);
    }

    public ZooKeeperConfig config() {
        return config;
    }

    /** Returns the number of nodes of acquired and awaited locks. */
    public int places() {
        return observe(zooKeeper -> zooKeeper.getAllChildrenNumber(config.root() + "/locks") - SHARDS);
    }

    /** Returns whether a member is marked as evicted, or absent. */
    public boolean isEvicted(Member member) {
        return observe(zooKeeper -> {
            Stat node = zooKeeper.exists(config.root() + "/members/" + member.id(), false);
            return node == null || node.getVersion() > 0;
        });
    }

    /**
     * Reads from ZooKeeper, and retries while the connection is lost: tests restart their servers.
     */
    private <T> T observe(Question<T> question) {
        try {
            return RetryLoop.callWithRetry(observer, () -> question.ask(observer.getZooKeeper()));
        } catch (Exception failure) {
            throw new AssertionError(failure);
        }
    }

    /** A read-only operation. */
    private interface Question<T> {
        T ask(ZooKeeper zooKeeper) throws KeeperException, InterruptedException;
    }

    @Override
    public void close() {
        observer.close();
    }
}
