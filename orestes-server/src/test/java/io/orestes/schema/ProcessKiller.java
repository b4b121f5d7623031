package io.orestes.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** Kills processes that change the schema repeatedly, somewhere in the middle of a change. */
final class ProcessKiller {

    private final Class<?> main;
    private final Path directory;
    private final Random random;

    /** Prepares a process of this main class, which takes a data directory. */
    ProcessKiller(Class<?> main, Path directory, Random random) {
        this.main = main;
        this.directory = directory;
        this.random = random;
    }

    /**
     * Starts the process and kills it.
     *
     * @param linesBetween number of lines that it prints from the end of one change to the
     *     beginning of the next, at least 1
     */
    void run(int linesBetween) throws IOException, InterruptedException {
        Process child = start();
        try (BufferedReader lines = child.inputReader(StandardCharsets.UTF_8)) {
            assertThat(lines.readLine()).isNotNull();
            long begin = System.nanoTime();
            assertThat(lines.readLine()).isNotNull();
            long oneChange = System.nanoTime() - begin;
            for (int line = 1; line < linesBetween; line++) {
                assertThat(lines.readLine()).isNotNull();
            }
            boolean ended = child.waitFor((long) (oneChange * random.nextDouble()), TimeUnit.NANOSECONDS);
            assertThat(ended).isFalse();
        } finally {
            child.toHandle().destroyForcibly();
            child.waitFor();
        }
    }

    private Process start() throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        main.getName(),
                        directory.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }
}
