package io.orestes.caching.ttl;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.benmanes.caffeine.cache.Cache;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class BoundedKeyCacheFactoryTest {

    @Test
    void put_moreThanThereIsRoomFor_cachesFewerOfLongKeys() {
        assertThat(kept("a")).isBetween(50L, 66L);
        assertThat(kept("a".repeat(1850))).isBetween(3L, 5L);
    }

    private static long kept(String prefix) {
        Cache<String, Integer> table = BoundedKeyCacheFactory.ofBytes(10_000);
        IntStream.range(0, 1000).forEach(i -> table.put(prefix + i, i));
        table.cleanUp();
        return table.estimatedSize();
    }
}
