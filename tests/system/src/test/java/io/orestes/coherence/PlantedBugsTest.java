package io.orestes.coherence;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The checker detects each bug in a scenario that is correct without it. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
@Tag("full")
final class PlantedBugsTest {

    /**
     * Time limit: a machine that stalls at the wrong moment may hide a bug, but not invent one. The
     * scenario is repeated until then.
     */
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private static final Map<Bug, CompletableFuture<List<String>>> sound = new EnumMap<>(Bug.class);
    private static final Map<Bug, CompletableFuture<List<String>>> planted = new EnumMap<>(Bug.class);
    private static final ProxyRules fetches = new ProxyRules();
    private static final ProxyRules purges = new ProxyRules();

    private static final ExecutorService actors = Executors.newCachedThreadPool(work -> {
        Thread thread = new Thread(work, "scene");
        thread.setDaemon(true);
        return thread;
    });

    private static List<Testbed> stages = List.of();

    @BeforeAll
    static void playAll(@TempDir Path folder) throws Exception {
        Testbed calm = stage(folder.resolve("calm"), Duration.ofSeconds(5));
        Testbed equal = stage(folder.resolve("equal"), Testbed.SHARED_MAX_TTL);
        Testbed broken = stage(folder.resolve("broken"), Duration.ofSeconds(60));
        stages = List.of(calm, equal, broken);
        CompletableFuture<List<String>> last = CompletableFuture.completedFuture(List.of());
        for (Bug bug : Bug.values()) {
            if (bug.needsItsOwnStage()) {
                sound.put(bug, last.thenCompose(done -> played(broken, bug, false)));
                last = sound.get(bug).thenCompose(done -> played(broken, bug, true));
                planted.put(bug, last);
            } else {
                Testbed stage = bug.needsEqualLives() ? equal : calm;
                sound.put(bug, played(stage, bug, false));
                planted.put(bug, played(stage, bug, true));
            }
        }
    }

    private static Testbed stage(Path folder, Duration browserMaxTtl) throws IOException, InterruptedException {
        Testbed stage = new Testbed(Files.createDirectory(folder), browserMaxTtl);
        stage.origin().rule(fetches);
        stage.purges().rule(purges);
        return stage;
    }

    @AfterAll
    static void stop() {
        stages.forEach(Testbed::close);
        actors.shutdownNow();
    }

    private static CompletableFuture<List<String>> played(Testbed stage, Bug bug, boolean isPlanted) {
        return CompletableFuture.supplyAsync(() -> play(stage, bug, isPlanted), actors);
    }

    private static List<String> play(Testbed stage, Bug bug, boolean isPlanted) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        List<String> found = playOnce(stage, bug, isPlanted);
        while (isPlanted && found.isEmpty() && System.nanoTime() < end) {
            found = playOnce(stage, bug, true);
        }
        return found;
    }

    private static List<String> playOnce(Testbed stage, Bug bug, boolean isPlanted) {
        try (Scenario scene = new Scenario(stage, fetches, purges, bug, isPlanted)) {
            return scene.play();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(bug + " could not be played", e);
        }
    }

    private static List<String> found(Map<Bug, CompletableFuture<List<String>>> scenes, Bug bug)
            throws ExecutionException, InterruptedException {
        return Objects.requireNonNull(scenes.get(bug)).get();
    }

    @ParameterizedTest
    @EnumSource
    void checker_bugPlanted_findsIt(Bug bug) throws ExecutionException, InterruptedException {
        assertThat(found(planted, bug)).isNotEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void checker_bugNotPlanted_findsNothing(Bug bug) throws ExecutionException, InterruptedException {
        assertThat(found(sound, bug)).isEmpty();
    }
}
