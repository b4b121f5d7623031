package io.orestes.caching.response;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.caching.ManualClock;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class BusiestKeysTest {

    private final ManualClock clock = new ManualClock();
    private final BusiestKeys keys = new BusiestKeys(clock);

    @Test
    void busiest_always_countsHitsMissesAndInvalidationsOfEach() {
        long begin = clock.millis();
        keys.recordStoreRead("/db/Todo/a");
        keys.hit("/db/Todo/a");
        clock.advance(Duration.ofSeconds(1));
        keys.hit("/db/Todo/a");
        keys.invalidated("/db/Todo/a");
        keys.recordStoreRead("/db/Todo/b");

        assertThat(keys.busiest(10))
                .containsExactly(
                        new BusiestKeys.Usage("/db/Todo/a", begin, 2, 1, 1),
                        new BusiestKeys.Usage("/db/Todo/b", begin + 1000, 0, 1, 0));
        assertThat(keys.busiest(1)).extracting(BusiestKeys.Usage::key).containsExactly("/db/Todo/a");
    }

    @Test
    void invalidated_ofUnreadKeys_isNotCounted() {
        keys.invalidated("/db/Todo/a");

        assertThat(keys.busiest(10)).isEmpty();
    }

    @Test
    void hit_ofAKeyThatIsTooLong_isNotCounted() {
        keys.hit("k".repeat(BusiestKeys.MAX_KEY_LENGTH));
        keys.hit("k".repeat(BusiestKeys.MAX_KEY_LENGTH + 1));

        assertThat(keys.busiest(10)).hasSize(1);
    }

    /** Returns fixed seeds, which make all runs equal. */
    static LongStream seeds() {
        return LongStream.range(0, 20);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void busiest_amongManyThatAreReadSeldom_areTheHotOnes(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 10_000; i++) {
            keys.hit("/db/First/" + i);
        }
        for (int i = 0; i < 200_000; i++) {
            keys.hit(
                    random.nextInt(10) == 0
                            ? "/db/Hot/" + random.nextInt(10)
                            : "/db/Cold/" + random.nextInt(1_000_000));
        }

        assertThat(keys.busiest(10)).extracting(BusiestKeys.Usage::key).containsExactlyInAnyOrderElementsOf(hot());
        assertThat(keys.busiest(Integer.MAX_VALUE)).hasSizeLessThanOrEqualTo(1024);
    }

    @Test
    void hit_aThousandTimes_replacesAFormerlyHotterKey() {
        String rising = "/db/Rising/a";
        List<String> rivals = IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> "/db/Old/" + i)
                .filter(key -> BusiestKeys.first(key) == BusiestKeys.first(rising))
                .limit(4)
                .toList();
        for (int i = 0; i < 5_000; i++) {
            rivals.forEach(keys::hit);
        }
        IntStream.range(0, 1_100).forEach(i -> keys.hit(rising));

        assertThat(keys.busiest(10))
                .filteredOn(usage -> usage.key().equals(rising))
                .extracting(BusiestKeys.Usage::hits)
                .containsExactly(100L);
    }

    @Test
    void hit_byManyThreads_losesNoCountOfAKeyThatHasItsPlace() throws InterruptedException {
        keys.hit("/db/Todo/a");
        List<Thread> readers = IntStream.range(0, 4)
                .mapToObj(i -> new Thread(() -> IntStream.range(0, 100_000).forEach(read -> keys.hit("/db/Todo/a"))))
                .toList();
        readers.forEach(Thread::start);
        for (Thread reader : readers) {
            reader.join();
        }

        assertThat(keys.busiest(1)).extracting(BusiestKeys.Usage::hits).containsExactly(400_001L);
    }

    private static List<String> hot() {
        return IntStream.range(0, 10).mapToObj(i -> "/db/Hot/" + i).toList();
    }
}
