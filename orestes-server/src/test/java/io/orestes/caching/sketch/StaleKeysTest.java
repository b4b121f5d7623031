package io.orestes.caching.sketch;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.caching.ManualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class StaleKeysTest {

    private static final String KEY = "/db/Todo/a";
    private static final SketchSizeRange RANGE = new SketchSizeRange(1000, 4000, 0.001);

    private final ManualClock clock = new ManualClock();
    private final StaleKeys keys = new StaleKeys(new SketchConfig(RANGE, 100, Duration.ofSeconds(5)), clock);

    @Test
    void invalidate_neverRead_staysOut() {
        keys.invalidate(KEY);

        assertThat(isStale(KEY)).isFalse();
    }

    @Test
    void invalidate_cached_isInUntilTheLastCopyExpiredAndOutASecondLater() {
        keys.reportRead(KEY, in(Duration.ofMillis(60_500)));
        keys.reportRead(KEY, in(Duration.ofSeconds(30)));
        keys.invalidate(KEY);

        clock.advance(Duration.ofMillis(60_499));
        assertThat(isStale(KEY)).isTrue();

        clock.advance(Duration.ofMillis(1001));
        assertThat(isStale(KEY)).isFalse();
        assertThat(keys.staleCount()).isZero();
    }

    @Test
    void invalidate_copyExpired_staysOut() {
        keys.reportRead(KEY, in(Duration.ofSeconds(10)));
        clock.advance(Duration.ofSeconds(10));

        keys.invalidate(KEY);

        assertThat(isStale(KEY)).isFalse();
    }

    @Test
    void invalidate_longerThanTheWheelReaches_staysInUntilTheEnd() {
        keys.reportRead(KEY, in(Duration.ofDays(2)));
        keys.invalidate(KEY);

        for (int hour = 0; hour < 48; hour++) {
            assertThat(isStale(KEY)).isTrue();
            clock.advance(Duration.ofHours(1));
        }

        assertThat(isStale(KEY)).isFalse();
        assertThat(keys.trackedCount()).isZero();
    }

    @Test
    void invalidate_again_extendsToTheCopiesMadeBetween() {
        keys.reportRead(KEY, in(Duration.ofSeconds(20)));
        keys.invalidate(KEY);
        clock.advance(Duration.ofSeconds(10));
        keys.reportRead(KEY, in(Duration.ofSeconds(20)));
        keys.invalidate(KEY);

        clock.advance(Duration.ofSeconds(19));
        assertThat(isStale(KEY)).isTrue();

        clock.advance(Duration.ofSeconds(1));
        assertThat(isStale(KEY)).isFalse();
    }

    @Test
    void reportRead_overlappingTheInvalidation_extends() {
        keys.reportRead(KEY, in(Duration.ofSeconds(10)));
        keys.invalidate(KEY);
        clock.advance(Duration.ofSeconds(5));
        keys.reportRead(KEY, in(Duration.ofSeconds(10)));

        clock.advance(Duration.ofSeconds(9));

        assertThat(isStale(KEY)).isTrue();
    }

    /** Otherwise a key that is read all the time would never leave the filter again. */
    @Test
    void reportRead_longAfterTheInvalidation_doesNotExtend() {
        keys.reportRead(KEY, in(Duration.ofSeconds(60)));
        keys.invalidate(KEY);

        for (int second = 0; second < 70; second++) {
            clock.advance(Duration.ofSeconds(1));
            keys.reportRead(KEY, in(Duration.ofSeconds(60)));
        }

        assertThat(isStale(KEY)).isFalse();
        assertThat(keys.trackedCount()).isOne();
    }

    @Test
    void reportRead_moreKeysThanTracked_anyUntrackedWriteCountsAsStale() {
        fillTable(Duration.ofSeconds(10));
        keys.reportRead("/db/Todo/untracked", in(Duration.ofSeconds(60)));

        keys.invalidate("/db/Todo/untracked");
        keys.invalidate("/db/Todo/other");

        clock.advance(Duration.ofSeconds(59));
        assertThat(keys.expirations()).containsOnlyKeys("/db/Todo/untracked", "/db/Todo/other");
        assertThat(isStale("/db/Todo/never-written")).isFalse();
    }

    @Test
    void reportRead_roomAgain_keepsWhatWasReportedWithoutRoom() {
        fillTable(Duration.ofSeconds(10));
        keys.reportRead(KEY, in(Duration.ofSeconds(60)));
        clock.advance(Duration.ofSeconds(11));
        keys.reportRead(KEY, in(Duration.ofSeconds(5)));

        keys.invalidate(KEY);

        clock.advance(Duration.ofSeconds(48));
        assertThat(isStale(KEY)).isTrue();
    }

    @Test
    void invalidate_noRoomForStaleKeys_everythingIsStaleForThatLong() {
        fillTable(Duration.ofSeconds(10));
        keys.reportRead(KEY, in(Duration.ofSeconds(60)));

        IntStream.range(0, 101).forEach(i -> keys.invalidate("/db/Other/" + i));

        assertThat(keys.trackedCount()).isEqualTo(200);
        clock.advance(Duration.ofSeconds(59));
        assertThat(isStale("/db/Other/100")).isTrue();
        assertThat(isStale("/db/Other/never-written")).isTrue();
        clock.advance(Duration.ofSeconds(1));
        assertThat(keys.snapshot().filter().toBase64()).isEmpty();
    }

    @Test
    void invalidateAll_prefix_isInForAllCachedKeysThatBeginSo() {
        keys.reportRead("/db/Todo/a", in(Duration.ofSeconds(60)));
        keys.reportRead("/db/Todo/query?q=1", in(Duration.ofSeconds(60)));
        keys.reportRead("/db/Todos/a", in(Duration.ofSeconds(60)));

        keys.invalidateAll("/db/Todo/");

        assertThat(keys.expirations()).containsOnlyKeys("/db/Todo/a", "/db/Todo/query?q=1");
    }

    @Test
    void invalidateAll_moreKeysThanTracked_everythingIsStaleForThatLong() {
        fillTable(Duration.ofSeconds(10));
        keys.reportRead("/db/Todo/untracked", in(Duration.ofSeconds(60)));

        keys.invalidateAll("/db/Todo/");

        clock.advance(Duration.ofSeconds(59));
        assertThat(isStale("/db/Todo/untracked")).isTrue();
        clock.advance(Duration.ofSeconds(2));
        assertThat(isStale("/db/Todo/untracked")).isFalse();
    }

    @Test
    void assumeAllStale_afterRestart_everythingIsStaleForThatLong() {
        keys.assumeAllStale(in(Duration.ofSeconds(60)));

        assertThat(isStale(KEY)).isTrue();

        clock.advance(Duration.ofSeconds(60));
        assertThat(isStale(KEY)).isFalse();
    }

    @Test
    void trackedCount_copiesExpired_isZero() {
        fillTable(Duration.ofSeconds(10));
        assertThat(keys.trackedCount()).isEqualTo(100);

        clock.advance(Duration.ofSeconds(11));

        assertThat(isStale(KEY)).isFalse();
        assertThat(keys.trackedCount()).isZero();
    }

    @Test
    void snapshot_nothingChanged_isShared() {
        keys.reportRead(KEY, in(Duration.ofSeconds(60)));
        keys.invalidate(KEY);
        SketchSnapshot first = keys.snapshot();
        clock.advance(Duration.ofSeconds(10));
        keys.invalidate(KEY);

        SketchSnapshot second = keys.snapshot();

        assertThat(second.body()).isSameAs(first.body());
        assertThat(second.etag()).isEqualTo(first.etag());
        assertThat(second.takenAtMillis() - first.takenAtMillis()).isEqualTo(10_000);
    }

    @Test
    void snapshot_keyEntersAndLeaves_bodyAndTagFollow() {
        SketchSnapshot before = keys.snapshot();
        keys.reportRead(KEY, in(Duration.ofSeconds(60)));
        keys.invalidate(KEY);
        SketchSnapshot stale = keys.snapshot();
        clock.advance(Duration.ofSeconds(60));
        SketchSnapshot after = keys.snapshot();

        assertThat(stale.etag()).isNotEqualTo(before.etag());
        assertThat(stale.filter().contains(KEY)).isTrue();
        assertThat(stale.body()).hasToString(stale.filter().toJson());
        assertThat(after.etag()).isEqualTo(before.etag());
        assertThat(after.body()).hasToString("{\"m\":14378,\"h\":10,\"b\":\"\"}");
    }

    @Test
    void expirations_staleKeys_areTheTimesWhenTheyLeave() {
        keys.reportRead(KEY, in(Duration.ofSeconds(60)));
        keys.reportRead("/db/Todo/unwritten", in(Duration.ofSeconds(60)));
        keys.invalidate(KEY);

        assertThat(keys.expirations()).isEqualTo(Map.of(KEY, Instant.ofEpochMilli(in(Duration.ofSeconds(60)))));
    }

    @Test
    void clear_staleAndCachedKeys_removesBoth() {
        keys.reportRead(KEY, in(Duration.ofSeconds(60)));
        keys.reportRead("/db/Todo/b", in(Duration.ofSeconds(60)));
        keys.invalidate(KEY);

        keys.clear();
        keys.invalidate("/db/Todo/b");

        assertThat(keys.snapshot().filter().toBase64()).isEmpty();
        assertThat(keys.expirations()).isEmpty();
        keys.reportRead(KEY, in(Duration.ofSeconds(60)));
        keys.invalidate(KEY);
        assertThat(isStale(KEY)).isTrue();
    }

    @Test
    void invalidate_nonAsciiKey_isFoundUnderBothHashes() {
        String file = "/file/www/Grüße.txt";
        keys.reportRead(file, in(Duration.ofSeconds(60)));
        keys.invalidate(file);

        assertThat(BloomHash.spellings(file)).hasSize(2).allMatch(this::isStale);
    }

    @Test
    void trackedCount_longKeys_countAsSeveral() {
        String tail = "x".repeat(400);

        IntStream.range(0, 100).forEach(i -> keys.reportRead("/db/Long/" + i + tail, in(Duration.ofSeconds(10))));
        assertThat(keys.trackedCount()).isEqualTo(34);

        clock.advance(Duration.ofSeconds(11));
        fillTable(Duration.ofSeconds(10));
        assertThat(keys.trackedCount()).isEqualTo(100);
    }

    @Test
    void expirations_anyOrderOfReports_keysLeaveInTheOrderOfTheirEnds() {
        IntStream.range(0, 60).map(i -> i * 37 % 60).forEach(second -> {
            keys.reportRead("/db/Todo/" + second, in(Duration.ofSeconds(second + 1)));
            keys.invalidate("/db/Todo/" + second);
        });

        for (int left = 60; left > 0; left--) {
            assertThat(keys.staleCount()).isEqualTo(left);
            assertThat(isStale("/db/Todo/" + (60 - left))).isTrue();
            clock.advance(Duration.ofSeconds(1));
            assertThat(isStale("/db/Todo/" + (60 - left))).isFalse();
        }
    }

    private void fillTable(Duration ttl) {
        IntStream.range(0, 100).forEach(i -> keys.reportRead("/db/Filler/" + i, in(ttl)));
    }

    private boolean isStale(String key) {
        return keys.snapshot().filter().contains(key);
    }

    private long in(Duration time) {
        return clock.millis() + time.toMillis();
    }
}
