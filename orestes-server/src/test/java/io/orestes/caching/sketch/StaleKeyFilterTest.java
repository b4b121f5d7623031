package io.orestes.caching.sketch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orestes.caching.ManualClock;
import java.time.Duration;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class StaleKeyFilterTest {

    private static final SketchSizeRange RANGE = new SketchSizeRange(100, 1600, 0.01);

    private final ManualClock clock = new ManualClock();
    private final StaleKeys keys = new StaleKeys(new SketchConfig(RANGE, 100_000, Duration.ZERO), clock);

    @Test
    void capacity_moreKeysThanItIsMadeFor_doubles() {
        makeStale(0, 100, 60);
        assertThat(keys.state().capacity()).isEqualTo(100);

        makeStale(100, 101, 60);

        assertThat(keys.state().capacity()).isEqualTo(200);
        assertThat(keys.snapshot().filter().size()).isEqualTo(SketchSize.of(200, 0.01));
    }

    @Test
    void capacity_halfOfTheKeysLeave_stays() {
        makeStale(0, 100, 30);
        makeStale(100, 201, 60);
        assertThat(keys.state().capacity()).isEqualTo(400);

        clock.advance(Duration.ofSeconds(31));

        assertThat(keys.snapshot().filter().size()).isEqualTo(SketchSize.of(400, 0.01));
        assertThat(keys.state().staleKeys()).isEqualTo(101);
        assertThat(keys.state().shrinks()).isZero();
    }

    @Test
    void capacity_aQuarterIsUsed_halvesAndKeepsWhatIsLeft() {
        makeStale(0, 101, 30);
        makeStale(101, 201, 60);

        clock.advance(Duration.ofSeconds(31));

        assertThat(keys.snapshot().filter().size()).isEqualTo(SketchSize.of(200, 0.01));
        assertThat(IntStream.range(101, 201)).allMatch(this::isStale);
        clock.advance(Duration.ofSeconds(30));
        assertThat(keys.snapshot().filter().size()).isEqualTo(RANGE.smallest());
        assertThat(keys.state().fill()).isZero();
    }

    @Test
    void capacity_atTheUpperBound_growsNoMoreAndHoldsEveryKey() {
        makeStale(0, 5000, 60);

        assertThat(keys.state().capacity()).isEqualTo(1600);
        assertThat(IntStream.range(0, 5000)).allMatch(this::isStale);
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 200, 400, 1600})
    void contains_filterAtCapacity_isWrongForOneInAHundred(int capacity) {
        makeStale(0, capacity, 60);
        BloomFilter filter = keys.snapshot().filter();

        long wrong = IntStream.range(0, 100_000)
                .filter(i -> filter.contains("/db/Person/" + i))
                .count();

        assertThat(keys.state().capacity()).isEqualTo(capacity);
        assertThat(wrong).isBetween(500L, 1500L);
    }

    /**
     * The filter equals, bit for bit, a new filter of the current keys, whatever was added, removed
     * and replaced before.
     */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void flat_randomKeysComeAndGo_isThatOfTheKeysInIt(long seed) {
        Random random = new Random(seed);
        StaleKeyFilter filter = new StaleKeyFilter(new SketchSizeRange(1, 200, 0.01));
        NavigableMap<String, TrackedKey> present = new TreeMap<>();

        for (int step = 0; step < 3000; step++) {
            String before = filter.flat().toJson();
            boolean isGrowing = random.nextInt(100) < (step / 300 % 2 == 0 ? 80 : 15) || present.isEmpty();
            boolean changed = isGrowing
                    ? filter.add(entered(present, random.nextInt(20) == 0 ? "/file/www/ü" + step : name(step)))
                    : filter.remove(left(present, name(random.nextInt(3000))));

            assertThat(filter.flat().toJson())
                    .isEqualTo(BloomFilter.of(filter.state().size(), present.keySet())
                            .toJson());
            assertThat(changed).isEqualTo(!filter.flat().toJson().equals(before));
        }
        assertThat(filter.state().growths()).isGreaterThan(10);
        assertThat(filter.state().shrinks()).isGreaterThan(10);
    }

    private static TrackedKey entered(Map<String, TrackedKey> present, String name) {
        TrackedKey key = new TrackedKey(name, 1);
        present.put(name, key);
        return key;
    }

    private static TrackedKey left(NavigableMap<String, TrackedKey> present, String name) {
        String near = Objects.requireNonNullElse(present.ceilingKey(name), present.firstKey());
        return Objects.requireNonNull(present.remove(near));
    }

    @Test
    void clear_grownFilter_isTheSmallestAgain() {
        makeStale(0, 1000, 60);

        keys.clear();

        assertThat(keys.snapshot().filter().size()).isEqualTo(RANGE.smallest());
        makeStale(0, 1, 60);
        assertThat(isStale(0)).isTrue();
    }

    @Test
    void restore_moreKeysThanTheSmallestFilterIsMadeFor_grows() {
        makeStale(0, 1000, 60);
        StaleKeys next = new StaleKeys(new SketchConfig(RANGE, 100_000, Duration.ZERO), clock);

        next.restore(keys.contents());

        assertThat(next.state().capacity()).isEqualTo(1600);
        assertThat(next.snapshot().body()).isEqualTo(keys.snapshot().body());
    }

    @Test
    void range_smallestLargerThanLargest_isRefused() {
        assertThatThrownBy(() -> new SketchSizeRange(2, 1, 0.01)).isInstanceOf(IllegalArgumentException.class);
    }

    private void makeStale(int from, int to, int seconds) {
        IntStream.range(from, to).forEach(i -> {
            keys.reportRead(name(i), clock.millis() + seconds * 1000L);
            keys.invalidate(name(i));
        });
    }

    private boolean isStale(int i) {
        return keys.snapshot().filter().contains(name(i));
    }

    private static String name(int i) {
        return "/db/Todo/" + i;
    }
}
