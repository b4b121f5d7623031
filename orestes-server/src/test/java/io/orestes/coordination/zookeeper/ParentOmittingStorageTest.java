package io.orestes.coordination.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.process.Waiting;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.cache.CuratorCache;
import org.apache.curator.framework.recipes.cache.CuratorCacheListener;
import org.apache.curator.retry.RetryNTimes;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A cache of children whose listing has failed once lists them again after the next connection. */
final class ParentOmittingStorageTest {

    @RegisterExtension
    static final EmbeddedZooKeeper ZOOKEEPER = new EmbeddedZooKeeper();

    @AutoClose
    private final CuratorFramework curator = CuratorFrameworkFactory.builder()
            .connectString(ZOOKEEPER.address())
            .sessionTimeoutMs(20_000)
            .retryPolicy(new RetryNTimes(0, 0))
            .build();

    private final ParentOmittingStorage storage = new ParentOmittingStorage("/parent");

    @Test
    void put_parent_isNotStored() throws Exception {
        start();

        assertThat(storage.size()).isEqualTo(1);
        assertThat(storage.get("/parent")).isEmpty();
    }

    @Test
    void rebuild_childIsMissingAndTheParentUnchanged_listsTheChildren() throws Exception {
        start();

        assertThat(storage.remove("/parent/child")).isPresent();
        ZOOKEEPER.stop();
        ZOOKEEPER.restart();

        Waiting.until("the child is listed again", Duration.ofSeconds(60), () -> storage.get("/parent/child")
                .isPresent());
    }

    private void start() throws Exception {
        curator.start();
        if (curator.checkExists().forPath("/parent/child") == null) {
            curator.create().creatingParentsIfNeeded().forPath("/parent/child");
        }
        CuratorCache cache =
                CuratorCache.builder(curator, "/parent").withStorage(storage).build();
        CountDownLatch loaded = new CountDownLatch(1);
        cache.listenable()
                .addListener(CuratorCacheListener.builder()
                        .forInitialized(loaded::countDown)
                        .build());
        cache.start();
        assertThat(loaded.await(30, TimeUnit.SECONDS)).isTrue();
    }
}
