package io.orestes.coherence;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.histories.cluster.Cluster;
import io.orestes.histories.cluster.Nemesis;
import io.orestes.histories.cluster.Nemesis.Fault;
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
 * Reads through browsers, and writes, by three servers of which one fails at a time: no read is
 * older than its client's filter. Where MongoDB has a change feed, another program writes, too.
 */
final class SeveralServersCoherenceTest {

    private static final long SEED = Long.getLong("orestes.seed", 1);
    private static final int WRITERS = 2;

    /** Every third group belongs to another program, if there is one. */
    private static final int STEP = WRITERS + 1;

    private static final int FOREIGN_WRITES = 20;
    private static final int TABS = 8;
    private static final int GROUPS = 30;
    private static final long READS = 20_000;

    /** Duration of a soak in minutes; 0 if this is none. */
    private static final int SOAK = Integer.parseInt(
            Optional.ofNullable(System.getenv("ORESTES_TEST_SOAK")).orElse("0"));

    private static final Duration LONGEST = Duration.ofMinutes(10 + SOAK);
    private static final List<Fault> FAULTS = List.of(
            Fault.SERVER_KILLED,
            Fault.SERVER_PAUSED,
            Fault.SERVER_CUT_FROM_SERVERS,
            Fault.SERVER_CUT_FROM_ZOOKEEPER,
            Fault.SERVER_CUT_FROM_MONGODB,
            Fault.SERVER_UNPLUGGED);

    /** Differences of browsers' clocks from those of servers. */
    private static final List<Duration> SKEWS =
            List.of(Duration.ZERO, Duration.ofSeconds(-2), Duration.ofHours(-1), Duration.ofMillis(1500));

    @Test
    @Timeout(value = 1, unit = TimeUnit.DAYS)
    void reads_whateverFails_areNeverOlderThanTheirBound(@TempDir Path folder) throws Exception {
        try (Cluster cluster = new Cluster(folder, Duration.ofSeconds(4));
                GroupEndpoints place = new GroupEndpoints(cluster)) {
            RunContext world = new RunContext(place, GROUPS + TABS, 10);
            Nemesis nemesis = new Nemesis(cluster, FAULTS, world::isOver, world.journal()::note, SEED);
            ExternalWriter foreign =
                    new ExternalWriter(world, cluster.mongo(), world.groups(TABS + WRITERS, STEP), SEED);
            List<Thread> all = startAll(world, nemesis, foreign);
            awaitEnough(world, nemesis);
            world.end();
            all.forEach(Threads::join);

            System.out.println("Coherence of several servers, seed " + SEED + ": " + world.checker() + "; "
                    + foreign.writes() + " writes of another program");
            assertThat(world.checker().violations())
                    .as("violations with seed %d", SEED)
                    .isEmpty();
            assertThat(nemesis.rounds()).isPositive();
            assertThat(foreign.writes()).isGreaterThan(FOREIGN_WRITES);
            assertThat(world.waysDone()).containsExactlyInAnyOrder(WriteMode.values());
            assertThat(world.checker().reads()).isGreaterThanOrEqualTo(READS);
        }
    }

    private static List<Thread> startAll(RunContext world, Nemesis nemesis, ExternalWriter foreign) {
        List<Runnable> actors = new ArrayList<>(List.of(nemesis, foreign));
        for (int i = 0; i < WRITERS; i++) {
            actors.add(new Writer(world, world.groups(TABS + i, STEP), Duration.ofMillis(50), SEED + i));
        }
        for (int i = 0; i < TABS; i++) {
            BrowserHttpCache browser =
                    new BrowserHttpCache(SKEWS.get(i % SKEWS.size()), BrowserHttpCache.CacheDefect.SOUND);
            ClientGuard guard = ClientGuard.ofSeveralServers(Duration.ofSeconds(1 + i % 3));
            actors.add(new BrowserPage(
                    world.place().readerPort(),
                    world,
                    browser,
                    guard,
                    world.group(i),
                    Duration.ofSeconds(1),
                    SEED + i));
        }
        return actors.stream()
                .map(actor -> Threads.start(actor.getClass().getSimpleName(), actor))
                .toList();
    }

    private static void awaitEnough(RunContext world, Nemesis nemesis) {
        long begin = System.nanoTime();
        long end = begin + Duration.ofMinutes(SOAK).toNanos();
        while (System.nanoTime() - begin < LONGEST.toNanos()
                && !world.checker().hasViolations()
                && (nemesis.rounds() == 0 || System.nanoTime() < end)) {
            Waiting.pause(Duration.ofMillis(100));
        }
    }
}
