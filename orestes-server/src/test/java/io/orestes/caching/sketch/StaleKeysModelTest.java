package io.orestes.caching.sketch;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.caching.ManualClock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random reports and invalidations against an oracle that records every copy ever served. */
final class StaleKeysModelTest {

    private static final List<String> KEYS =
            IntStream.range(0, 40).mapToObj(i -> "/db/Todo/" + i).toList();
    private static final Duration OVERLAP = Duration.ofSeconds(2);
    private static final SketchSizeRange ROOMY = new SketchSizeRange(100, 100, 0.0001);
    private static final SketchSizeRange TINY = new SketchSizeRange(1, 64, 0.0001);

    static LongStream seeds() {
        return LongStream.range(0, 50);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void snapshot_enoughRoom_holdsExactlyTheStaleKeys(long seed) {
        Run run = new Run(seed, ROOMY, KEYS.size());

        for (int step = 0; step < 1000; step++) {
            run.step();
            run.assertNoStaleKeyMissing();
            run.assertNoKeyTooLong();
        }
    }

    /**
     * Such a small filter has false positives. {@code StaleKeyFilterTest} shows that it has the
     * bits of its keys and no others.
     */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void snapshot_filterReplacedByLargerAndSmallerOnes_holdsExactlyTheStaleKeys(long seed) {
        Run run = new Run(seed, TINY, KEYS.size());

        for (int step = 0; step < 1000; step++) {
            run.step();
            run.assertNoStaleKeyMissing();
            run.assertNoKeyCountedTooLong();
            run.assertSizeFits();
        }
        run.assertSizeChanged();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void snapshot_tooLittleRoom_holdsAtLeastTheStaleKeys(long seed) {
        Run run = new Run(seed, ROOMY, 1 + (int) (seed % 20));

        for (int step = 0; step < 1000; step++) {
            run.step();
            run.assertNoStaleKeyMissing();
            run.assertMemoryIsBounded();
        }
    }

    /** State of one key in the oracle, in milliseconds. */
    private static final class OracleState {
        private long heldUntil;
        private long staleUntil;
        private long invalidatedAt;
    }

    private static final class Run {
        private final Random random;
        private final int maxKeys;
        private final ManualClock clock = new ManualClock();
        private final StaleKeys keys;
        private final Map<String, OracleState> truth = new HashMap<>();

        Run(long seed, SketchSizeRange range, int maxKeys) {
            this.random = new Random(seed);
            this.maxKeys = maxKeys;
            this.keys = new StaleKeys(new SketchConfig(range, maxKeys, OVERLAP), clock);
        }

        private OracleState truth(String key) {
            return truth.computeIfAbsent(key, k -> new OracleState());
        }

        void step() {
            String key = KEYS.get(random.nextInt(KEYS.size()));
            switch (random.nextInt(4)) {
                case 0, 1 -> report(key, clock.millis() + random.nextInt(random.nextInt(20) == 0 ? 6_000_000 : 20_000));
                case 2 -> invalidate(key);
                default ->
                    clock.advance(Duration.ofMillis(random.nextInt(random.nextInt(50) == 0 ? 10_000_000 : 1500)));
            }
        }

        private void report(String key, long until) {
            keys.reportRead(key, until);
            OracleState known = truth(key);
            known.heldUntil = Math.max(known.heldUntil, until);
            long now = clock.millis();
            if (isRoomForAll() && known.staleUntil > now && now - known.invalidatedAt <= OVERLAP.toMillis()) {
                known.staleUntil = Math.max(known.staleUntil, until);
            }
        }

        private void invalidate(String key) {
            keys.invalidate(key);
            OracleState known = truth(key);
            known.staleUntil = known.heldUntil;
            known.invalidatedAt = clock.millis();
        }

        /** Returns whether every key has an entry; late reports count only for keys with one. */
        private boolean isRoomForAll() {
            return maxKeys >= KEYS.size();
        }

        void assertNoStaleKeyMissing() {
            BloomFilter filter = keys.snapshot().filter();
            long now = clock.millis();
            assertThat(KEYS).filteredOn(key -> truth(key).staleUntil > now).allMatch(filter::contains);
        }

        void assertNoKeyTooLong() {
            BloomFilter filter = keys.snapshot().filter();
            assertNoKeyCountedTooLong();
            assertThat(KEYS)
                    .filteredOn(filter::contains)
                    .hasSizeLessThanOrEqualTo(allowed().size() + 1);
        }

        void assertNoKeyCountedTooLong() {
            assertThat(keys.staleCount()).isLessThanOrEqualTo(allowed().size());
            assertThat(allowed()).containsAll(keys.expirations().keySet());
        }

        private List<String> allowed() {
            return KEYS.stream()
                    .filter(key -> truth(key).staleUntil > clock.millis() - 1000)
                    .toList();
        }

        void assertSizeFits() {
            SketchStatistics state = keys.state();
            assertThat(state.staleKeys()).isLessThanOrEqualTo(state.capacity());
            assertThat(state.capacity()).isLessThanOrEqualTo(Math.max(1, 4 * state.staleKeys()));
            assertThat(state.size()).isEqualTo(TINY.size(state.capacity()));
        }

        void assertSizeChanged() {
            assertThat(keys.state().growths()).isPositive();
            assertThat(keys.state().shrinks()).isPositive();
        }

        void assertMemoryIsBounded() {
            assertThat(keys.trackedCount()).isLessThanOrEqualTo(2 * maxKeys);
        }
    }
}
