package io.orestes.caching.sketch;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.caching.ManualClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SketchFileTest {

    private static final Duration LONGEST = Duration.ofMinutes(10);

    private final ManualClock clock = new ManualClock();
    private final StaleKeys before = sketch();
    private final StaleKeys after = sketch();
    private final Path path;
    private final SketchFile file;

    SketchFileTest(@TempDir Path folder) {
        path = folder.resolve("sketch");
        file = new SketchFile(path, LONGEST, clock);
    }

    @Test
    void restore_afterCleanEnd_hasTheStaleAndTheServedKeys() {
        before.reportRead("/db/Todo/stale", in(60));
        before.reportRead("/db/Todo/held by a browser", in(60));
        before.invalidate("/db/Todo/stale");
        file.save(before);

        file.restore(after);
        after.invalidate("/db/Todo/held by a browser");
        after.invalidate("/db/Todo/never read");

        assertThat(isStale("/db/Todo/stale")).isTrue();
        assertThat(isStale("/db/Todo/held by a browser")).isTrue();
        assertThat(isStale("/db/Todo/never read")).isFalse();
    }

    @Test
    void restore_staleKey_leavesTheFilterWhenItsLastCopyExpired() {
        before.reportRead("/db/Todo/stale", in(60));
        before.invalidate("/db/Todo/stale");
        file.save(before);
        file.restore(after);

        clock.advance(Duration.ofSeconds(61));

        assertThat(isStale("/db/Todo/stale")).isFalse();
    }

    @Test
    void restore_afterCrash_everythingIsStaleForTheLongestTtl() {
        file.restore(after);
        assertThat(isStale("/db/Todo/anything")).isTrue();

        clock.advance(LONGEST.plusSeconds(1));

        assertThat(isStale("/db/Todo/anything")).isFalse();
    }

    @Test
    void restore_takesTheFileAway_soThatACrashIsNotTakenForACleanEnd() {
        file.save(before);
        file.restore(after);

        StaleKeys afterCrash = sketch();
        file.restore(afterCrash);

        assertThat(afterCrash.snapshot().filter().contains("/db/Todo/anything")).isTrue();
    }

    @Test
    void restore_damagedFile_countsAsCrash() throws IOException {
        Files.writeString(path, "orestes-sketch-2 0 0 1\n12 x");

        file.restore(after);

        assertThat(isStale("/db/Todo/anything")).isTrue();
    }

    @Test
    void restore_fileCutOffBetweenKeys_countsAsCrash() throws IOException {
        before.reportRead("/db/Todo/a", in(60));
        before.reportRead("/db/Todo/b", in(60));
        file.save(before);
        String whole = Files.readString(path);
        Files.writeString(path, whole.substring(0, whole.lastIndexOf('\n', whole.length() - 2) + 1));

        file.restore(after);

        assertThat(isStale("/db/Todo/anything")).isTrue();
    }

    @Test
    void restore_afterCrashWithLongerTimes_everythingIsStaleForThose() {
        file.restore(before);
        SketchFile shorter = new SketchFile(path, Duration.ofMinutes(1), clock);

        shorter.restore(after);
        clock.advance(LONGEST.minusSeconds(1));

        assertThat(isStale("/db/Todo/anything")).isTrue();
        clock.advance(Duration.ofSeconds(2));
        assertThat(isStale("/db/Todo/anything")).isFalse();
    }

    @Test
    void restore_afterTwoCrashes_copiesOfTheProcessBeforeBothCountToo() {
        file.restore(before);
        SketchFile shorter = new SketchFile(path, Duration.ofMinutes(1), clock);
        shorter.restore(sketch());
        clock.advance(Duration.ofMinutes(2));

        shorter.restore(after);
        clock.advance(LONGEST.minusMinutes(2).minusSeconds(1));

        assertThat(isStale("/db/Todo/anything")).isTrue();
        clock.advance(Duration.ofSeconds(2));
        assertThat(isStale("/db/Todo/anything")).isFalse();
    }

    private boolean isStale(String key) {
        return after.snapshot().filter().contains(key);
    }

    private long in(int seconds) {
        return clock.millis() + seconds * 1000L;
    }

    private StaleKeys sketch() {
        return new StaleKeys(SketchConfig.DEFAULTS, clock);
    }
}
