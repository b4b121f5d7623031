package io.orestes.coherence;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.Scope;
import io.orestes.support.process.Waiting;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Reads through browsers and Varnish, while objects are written and parts of the product fail: a
 * million of them, or a tenth and the first four faults without the long part.
 */
final class CoherenceTest {

    private static final long READS = Scope.rounds(1_000_000);
    private static final long SEED = Long.getLong("orestes.seed", 4);

    /** Duration of a soak in minutes; 0 if this is none. */
    private static final int SOAK = Integer.parseInt(
            Optional.ofNullable(System.getenv("ORESTES_TEST_SOAK")).orElse("0"));

    /**
     * Minimum duration; on a machine that is too slow for enough reads the run lasts up to fifteen
     * times as long.
     */
    private static final Duration TIME =
            SOAK > 0 ? Duration.ofMinutes(SOAK) : Duration.ofSeconds(Scope.isShort() ? 25 : 45);

    private static final int WRITERS = 2;
    private static final int GROUPS = 300;

    /** Differences of browsers' clocks from that of the server. */
    private static final List<Duration> SKEWS =
            List.of(Duration.ZERO, Duration.ofSeconds(-2), Duration.ofHours(-1), Duration.ofMillis(1500));

    /**
     * Number of browsers that use copies of a purged Varnish; each has an HTTP cache of its own, as
     * others have stronger guarantees.
     */
    private static final int NEARBY = 3;

    private static final int TABS = 2 * SKEWS.size() + NEARBY;

    @Test
    @Timeout(value = 1, unit = TimeUnit.DAYS)
    void reads_whateverFails_areNeverOlderThanTheirBound(@TempDir Path folder) throws Exception {
        try (Testbed stage = new Testbed(folder, Duration.ofSeconds(4))) {
            RunContext world = new RunContext(stage, GROUPS + TABS, 10);
            TrafficRule traffic = new TrafficRule(world, 0.02, SEED);
            stage.origin().rule(traffic::fetch);
            stage.purges().rule(traffic::purge);

            List<Thread> all = startAll(stage, world, traffic);
            awaitEnough(world);
            world.end();
            all.forEach(Threads::join);

            System.out.println("Coherence, seed " + SEED + ": " + world.checker());
            assertThat(world.checker().violations())
                    .as("violations with seed %d", SEED)
                    .isEmpty();
            assertThat(world.waysDone()).containsExactlyInAnyOrder(WriteMode.values());
            assertThat(world.checker().reads()).isGreaterThanOrEqualTo(READS);
        }
    }

    private static List<Thread> startAll(Testbed stage, RunContext world, TrafficRule traffic) {
        List<Runnable> actors = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            List<Group> groups = world.groups(TABS + i, WRITERS);
            actors.add(new Writer(world, groups, Duration.ofMillis(4), SEED + i));
        }
        for (int i = 0; i < SKEWS.size(); i++) {
            BrowserHttpCache browser = new BrowserHttpCache(SKEWS.get(i), BrowserHttpCache.CacheDefect.SOUND);
            actors.add(tab(2 * i, world, browser, false));
            actors.add(tab(2 * i + 1, world, browser, false));
        }
        for (int i = 0; i < NEARBY; i++) {
            BrowserHttpCache browser = new BrowserHttpCache(SKEWS.get(i), BrowserHttpCache.CacheDefect.SOUND);
            actors.add(tab(2 * SKEWS.size() + i, world, browser, true));
        }
        actors.add(new AnonymousReader(world, SEED));
        actors.add(new FaultInjector(world, stage, traffic, SEED));
        return actors.stream()
                .map(actor -> Threads.start(actor.getClass().getSimpleName(), actor))
                .toList();
    }

    private static BrowserPage tab(int number, RunContext world, BrowserHttpCache browser, boolean isNearby) {
        ClientGuard guard =
                new ClientGuard(Duration.ofSeconds(1 + number % 3), ClientGuard.GuardDefect.SOUND, isNearby);
        Group own = world.group(number);
        return new BrowserPage(
                world.place().readerPort(), world, browser, guard, own, Duration.ofMillis(400), SEED + number);
    }

    private static void awaitEnough(RunContext world) {
        long begin = System.nanoTime();
        long end = begin + TIME.toNanos();
        long latest = begin + 15 * TIME.toNanos();
        while (System.nanoTime() < end || (world.checker().reads() < READS && System.nanoTime() < latest)) {
            Waiting.pause(Duration.ofMillis(100));
            if (world.checker().hasViolations()) {
                return;
            }
        }
    }
}
