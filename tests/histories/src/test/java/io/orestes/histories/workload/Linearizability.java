package io.orestes.histories.workload;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * Runs the checker of single objects, which is a program of its own ({@code
 * ORESTES_TEST_LINEARIZABILITY}).
 */
final class Linearizability {

    private static final int PATIENCE_SECONDS = 600;

    private Linearizability() {}

    /**
     * The verdict of the checker.
     *
     * @param isRight whether every object's history can be explained
     * @param text for people
     */
    record Verdict(boolean isRight, String text) {}

    /** Checks a file with one operation a line; fails if the check is undecided. */
    static Verdict of(Path history) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Objects.requireNonNull(System.getenv("ORESTES_TEST_LINEARIZABILITY")), history.toString())
                .redirectErrorStream(true)
                .start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || process.exitValue() > 1) {
            throw new AssertionError("The checker of linearizability did not decide: " + text);
        }
        return new Verdict(process.exitValue() == 0, text);
    }
}
