package io.orestes.coordination.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.retry.RetryNTimes;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

final class SingleSessionFactoryTest {

    private static final int SESSION_MILLIS = 4_000;

    @RegisterExtension
    static final EmbeddedZooKeeper ZOOKEEPER = new EmbeddedZooKeeper();

    private final SingleSessionFactory factory = new SingleSessionFactory();
    private final BlockingQueue<ConnectionState> states = new LinkedBlockingQueue<>();

    @AutoClose
    private final CuratorFramework curator = CuratorFrameworkFactory.builder()
            .connectString(ZOOKEEPER.address())
            .zookeeperFactory(factory)
            .sessionTimeoutMs(SESSION_MILLIS)
            .connectionTimeoutMs(1_000)
            .retryPolicy(new RetryNTimes(0, 0))
            .build();

    @BeforeEach
    void connect() throws Exception {
        curator.getConnectionStateListenable().addListener((client, state) -> states.add(state));
        curator.start();
        assertThat(states.poll(30, TimeUnit.SECONDS)).isEqualTo(ConnectionState.CONNECTED);
    }

    @Test
    void grantedSessionMillis_always_isWhatZooKeeperGrants() throws Exception {
        assertThat(factory.grantedSessionMillis()).isEqualTo(SESSION_MILLIS);
        assertThat(handle().getSessionTimeout()).isEqualTo(Integer.MAX_VALUE);
    }

    /** Curator itself would expire the session after its time, the client does so later. */
    @Test
    void session_withoutZooKeeper_lastsLongerThanItsTime() throws Exception {
        long begun = System.nanoTime();
        curator.checkExists().forPath("/");
        ZOOKEEPER.stop();
        try {
            assertThat(states.poll(30, TimeUnit.SECONDS)).isEqualTo(ConnectionState.SUSPENDED);
            assertThat(states.poll(30, TimeUnit.SECONDS)).isEqualTo(ConnectionState.LOST);
            assertThat(System.nanoTime() - begun).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(SESSION_MILLIS * 6 / 5));
        } finally {
            ZOOKEEPER.restart();
        }
    }

    @Test
    void operations_afterTheEndOfTheSession_reachNoOther() throws Exception {
        ZooKeeper first = handle();
        BlockingQueue<Code> outcomes = new LinkedBlockingQueue<>();

        first.getTestable().injectSessionExpiration();
        assertThat(states.poll(30, TimeUnit.SECONDS)).isEqualTo(ConnectionState.LOST);
        curator.create()
                .inBackground((client, event) -> outcomes.add(Code.get(event.getResultCode())))
                .forPath("/late");

        assertThat(outcomes.poll(30, TimeUnit.SECONDS)).isNotNull().isNotEqualTo(Code.OK);
        assertThat(handle()).isSameAs(first);
        assertThat(first.getState().isAlive()).isFalse();
    }

    private ZooKeeper handle() throws Exception {
        return curator.getZookeeperClient().getZooKeeper();
    }
}
