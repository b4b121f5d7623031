package io.orestes.coordination.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.coordination.CoordinationTimeouts;
import io.orestes.support.process.ProcessTree;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;

/**
 * A server in a process of its own, which has a lock and continuously reports whether it considers
 * itself current. Its times are comparable with those of this process: {@link System#nanoTime} is
 * one clock for all processes of a machine on Linux.
 */
final class MemberProcess implements AutoCloseable {

    private final ProcessHandle process;
    private final ProcessTree tree;
    private final BufferedReader lines;
    private final String id;
    private volatile long lastCurrent;
    private volatile long lastDoubtful;
    private volatile long lastLost;

    private MemberProcess(Process process) throws IOException {
        this.process = process.toHandle();
        this.tree = new ProcessTree(process);
        this.lines = process.inputReader();
        String joined = lines.readLine();
        assertThat(joined).startsWith("holds ");
        this.id = joined.substring("holds ".length());
        Thread listening = new Thread(this::listen, "listening to " + id);
        listening.setDaemon(true);
        listening.start();
    }

    /** Starts a witness and waits until it is a member and has its lock. */
    static MemberProcess start(ZooKeeperConfig config, String key, String transaction) {
        CoordinationTimeouts times = config.times();
        try {
            return new MemberProcess(new ProcessBuilder(
                            java(),
                            "-Xmx128m",
                            "-cp",
                            System.getProperty("java.class.path"),
                            MemberProcessMain.class.getName(),
                            config.servers(),
                            config.root(),
                            millis(times.lease()),
                            millis(times.margin()),
                            millis(times.session()),
                            millis(times.lockWait()),
                            key,
                            transaction)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Its incarnation. */
    String id() {
        return id;
    }

    /** Returns when the witness last considered itself current, as far as its output was read. */
    long lastCurrentNanos() {
        return lastCurrent;
    }

    /** Returns when the witness last reported that its lease does not run. */
    long lastExpiredNanos() {
        return lastDoubtful;
    }

    /** Returns when the witness last reported that it is no member; 0 if it never did. */
    long lastLostNanos() {
        return lastLost;
    }

    /** Stops or continues the process. */
    void signal(String name) {
        ProcessTree.signal(name, process);
    }

    /** Kills the process at once, as the kernel would, and reads its last output. */
    void kill() {
        tree.kill();
    }

    @Override
    public void close() {
        kill();
    }

    static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    private void listen() {
        try (lines) {
            lines.lines().forEach(this::readOutput);
        } catch (IOException | UncheckedIOException ended) {
            // the process has ended
        }
    }

    private void readOutput(String line) {
        int space = line.indexOf(' ');
        long nanos = Long.parseLong(line.substring(space + 1));
        switch (line.substring(0, space)) {
            case "current" -> lastCurrent = nanos;
            case "doubtful" -> lastDoubtful = nanos;
            default -> lastLost = nanos;
        }
    }

    private static String millis(Duration time) {
        return String.valueOf(time.toMillis());
    }
}
