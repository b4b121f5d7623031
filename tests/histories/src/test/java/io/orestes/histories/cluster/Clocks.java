package io.orestes.histories.cluster;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Differences of servers' clocks from that of this machine. Time measured from a moment on is not
 * concerned.
 *
 * @param seconds of each server
 */
record Clocks(List<Integer> seconds) {

    /** Clocks that show one time. */
    static final Clocks TOGETHER = new Clocks(List.of(0, 0, 0));

    /** Clocks of which one is slow and one is fast. */
    static final Clocks APART = new Clocks(List.of(-5, 0, 7));

    private static final Duration TOLERANCE = Duration.ofSeconds(3);

    Clocks {
        seconds = List.copyOf(seconds);
    }

    /** Returns the command that starts the program of a server with its clock. */
    List<String> command(int server, String... program) {
        List<String> all = new ArrayList<>();
        if (seconds.get(server) != 0) {
            all.addAll(List.of(
                    "env",
                    "LD_PRELOAD=" + Objects.requireNonNull(System.getenv("ORESTES_TEST_FAKETIME")),
                    "FAKETIME=%+ds".formatted(seconds.get(server)),
                    "FAKETIME_DONT_FAKE_MONOTONIC=1",
                    // without it, waits of the JVM end at once
                    "FAKETIME_FORCE_MONOTONIC_FIX=0"));
        }
        all.addAll(List.of(program));
        return all;
    }

    /** Returns whether the clock of a server shows that time, within the duration of an answer. */
    boolean isOf(int server, Instant time) {
        Duration difference = Duration.between(Instant.now().plusSeconds(seconds.get(server)), time);
        return difference.abs().compareTo(TOLERANCE) < 0;
    }
}
